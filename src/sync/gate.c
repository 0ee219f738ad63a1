/* gate.c - permits, first come, first served.
 *
 * One word holds the number of permits taken; taking and giving back are one compare-and-swap as
 * long as nobody waits. Otherwise they go by way of the queue, under BUSY: who gives back takes
 * from the head of the queue all whose requests can be met, does it for them, and wakes them. Who
 * comes does not pass those that wait, even if what it wants is there: so a large request is met as
 * soon as enough has been given back, and nobody is woken in vain.
 *
 * The memory may go when the last permit is given back: the store that lets go of BUSY is the last
 * that is done to the gate; those that were taken from the queue are woken after it, by their own
 * records.
 *
 * Who sets BUSY is inside the runtime (ant__enter), so that it cannot be made to wait there.
 */
#include "sync/gate.h"

static int64_t taken(uint64_t word)
{
    return (int64_t)(word >> ANT__GATE_SHIFT);
}

/* Sets BUSY; returns how many permits are taken. */
static int64_t make_busy(struct ant__gate *gate)
{
    int spins = 0;

    for (;;) {
        uint64_t word = ant__load_relaxed(&gate->word);

        if (word & ANT__GATE_BUSY)
            ant__back_off(&spins);
        else if (atomic_compare_exchange_weak_explicit(&gate->word, &word, word | ANT__GATE_BUSY,
                                                       memory_order_acquire, memory_order_relaxed))
            return taken(word);
    }
}

static void end_busy(struct ant__gate *gate, int64_t n)
{
    uint64_t waiters = ant__queue_head(&gate->queue) ? ANT__GATE_WAITERS : 0;

    ant__store_release(&gate->word, (uint64_t)n << ANT__GATE_SHIFT | waiters);
}

/* Does for those at the head of the queue what can be done, and lets go of BUSY; n are taken. */
static void serve(struct ant__m *m, struct ant__gate *gate, int64_t n, int64_t capacity)
{
    struct ant__woken woken = {0};
    struct ant__wait *w;

    while ((w = ant__queue_head(&gate->queue)) && n <= capacity - w->n) {
        if (ant__wait_take(w)) {
            n += w->n;
            ant__woken_add(&woken, w->sleeper);
        }
    }
    end_busy(gate, n);
    ant__wake_all(m, &woken);
}

struct waiting {
    struct ant__waiting base;
    struct ant__gate *gate;
    int64_t taken;
};

static void unlock(struct ant__m *m, struct ant__waiting *base)
{
    struct waiting *w = ant__container_of(base, struct waiting, base);

    end_busy(w->gate, w->taken);
}

/* The caller is inside, and set BUSY; `before` are taken. */
static bool wait_in_queue(struct ant__m **m, struct ant__gate *gate, int64_t before, int64_t n,
                          int64_t capacity, ant_chan *done, enum ant__reason reason)
{
    struct waiting w = {.gate = gate, .taken = before};

    ant__waiting_init(&w.base, *m, done, unlock);
    if (!ant__waiting_join(&w.base)) {
        end_busy(gate, before);
        return false;
    }
    w.base.wait.n = n;
    ant__queue_push(&gate->queue, &w.base.wait);
    if (ant__waiting_sleep(&w.base, m, reason))
        return true;
    /* Those behind us may have waited only because we came first. */
    before = make_busy(gate);
    ant__queue_remove(&w.base.wait);
    serve(*m, gate, before, capacity);
    return false;
}

bool ant__gate_wait(struct ant__gate *gate, int64_t n, int64_t capacity, ant_chan *done,
                    enum ant__reason reason)
{
    struct ant__m *m = ant__enter();
    int64_t before = make_busy(gate);
    bool got = true;

    if (!ant__queue_head(&gate->queue) && before <= capacity - n)
        end_busy(gate, before + n);
    else
        got = wait_in_queue(&m, gate, before, n, capacity, done, reason);
    ant__leave_any(m);
    return got;
}

static bool give_slow(struct ant__gate *gate, int64_t n, int64_t capacity)
{
    struct ant__m *m = ant__enter();
    int64_t before = make_busy(gate);

    serve(m, gate, before < n ? before : before - n, capacity);
    ant__leave_any(m);
    return before >= n;
}

bool ant__gate_give(struct ant__gate *gate, int64_t n, int64_t capacity)
{
    uint64_t word = ant__load_relaxed(&gate->word);

    while (!(word & (ANT__GATE_WAITERS | ANT__GATE_BUSY))) {
        if (taken(word) < n)
            return false;
        if (atomic_compare_exchange_weak_explicit(&gate->word, &word,
                                                  word - ((uint64_t)n << ANT__GATE_SHIFT),
                                                  memory_order_release, memory_order_relaxed))
            return true;
    }
    return give_slow(gate, n, capacity);
}
