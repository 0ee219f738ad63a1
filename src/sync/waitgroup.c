/* waitgroup.c - a counter that waiters wait to be zero.
 *
 * One word: the counter in the upper half, LOCKED and WAITERS in the lowest bits; beside it the
 * lists of waiters, which only the holder of LOCKED touches, or the done that brought the counter
 * to zero. Goroutines are linked by their Gs, which lie close together, and not by records on their
 * stacks, each of which would be a cache miss when a million are to be woken. Threads and those
 * that may give up have records (sleep.h).
 *
 *   done    subtracts one. If that made zero and no flag is set, all is done: the word is not
 * touched again. If WAITERS is set, the word now says "zero, waiters": nobody but us acts on
 *           that. We take the lists, store 0, which is what lets late waits return and the
 *           group's memory go, and only then wake those on the lists, through their own records.
 *   wait    returns if the word is 0. Else sets LOCKED and WAITERS if the counter is not zero,
 *           adds itself to a list, and is parked; unlocking is the commit of its parking.
 *   giving up  takes the own record out of the list, under LOCKED; or waits for the 0, before which
 *           a done that is just taking the lists has dropped the record.
 *
 * So a group may be freed when a wait has returned: the last step of done on it is what lets the
 * wait return. (tests/models/waitgroup.pml)
 */
#include "runtime/preempt.h"
#include "sync/sleep.h"

#define LOCKED ((uint64_t)1)
#define WAITERS ((uint64_t)2)
#define ONE ((uint64_t)1 << 32)

enum { SPINS = 100 };

static _Atomic uint64_t *word_of(ant_waitgroup *wg)
{
    return (_Atomic uint64_t *)&wg->state;
}

static struct ant__queue *others_of(ant_waitgroup *wg)
{
    return (struct ant__queue *)wg->others;
}

static int32_t counter(uint64_t word)
{
    return (int32_t)(word >> 32);
}

/* The counter is zero and there are waiters: let them go. Until the word is 0 others spin for it,
 * so only after that we may enter the runtime, where we might have to stay. */
static void release(ant_waitgroup *wg)
{
    struct ant__g *self = ant__self();
    struct ant__woken woken = {0};
    struct ant__wait *w;
    struct ant__m *m;
    uint64_t word;
    uint8_t was = 0;
    bool released;
    int spins = 0;

    while ((word = ant__load_acquire(word_of(wg))) & LOCKED) /* a wait that came just before us */
        ant__back_off(&spins);
    while ((w = ant__queue_take(others_of(wg))))
        ant__woken_add(&woken, w->sleeper);
    ant__woken_add_gs(&woken, wg->goroutines);
    wg->goroutines = NULL;
    if (self) /* not to be interrupted, and never resumed, between the 0 and the threads' wake-up */
        was = ant__stay(self);
    released = counter(word) == 0 &&
               atomic_compare_exchange_strong_explicit(word_of(wg), &word, 0, memory_order_release,
                                                       memory_order_relaxed);
    /* Threads first: where the runtime is stopping, entering it may be the end of us. */
    if (released)
        ant__wake_threads(woken.threads);
    if (self)
        ant__unstay(self, was);
    if (!released)
        ant_panic("ant_waitgroup: add while waiters are being woken: add before you wait");
    if (!woken.gs)
        return;
    m = ant__enter();
    ant__wake_gs(m, woken.gs);
    ant__leave_any(m);
}

void ant_waitgroup_add(ant_waitgroup *wg, int delta)
{
    /* release: what was done before is seen by who returns from wait; acquire: by who wakes them */
    uint64_t old = atomic_fetch_add_explicit(word_of(wg), (uint64_t)(int64_t)delta * ONE,
                                             memory_order_acq_rel);
    int64_t now = (int64_t)counter(old) + delta;

    if (ant__unlikely(now < 0 || now > INT32_MAX))
        ant_panic("ant_waitgroup: the counter %s",
                  now < 0 ? "is negative: more done than added" : "exceeds INT32_MAX");
    if (ant__unlikely(now == 0 && delta != 0 && old & (LOCKED | WAITERS)))
        release(wg);
}

void ant_waitgroup_done(ant_waitgroup *wg)
{
    ant_waitgroup_add(wg, -1);
}

static void unlock(ant_waitgroup *wg)
{
    atomic_fetch_and_explicit(word_of(wg), ~LOCKED, memory_order_release);
}

static bool commit_wait(struct ant__m *m, struct ant__g *g, void *arg)
{
    ant_waitgroup *wg = arg;

    g->next = wg->goroutines;
    wg->goroutines = g;
    unlock(wg);
    return true;
}

/* One that waits by a record. */
struct waiting {
    struct ant__waiting base;
    ant_waitgroup *wg;
};

static void unlock_for(struct ant__m *m, struct ant__waiting *base)
{
    unlock(ant__container_of(base, struct waiting, base)->wg);
}

/* True: locked, with the counter above zero. False: there is nothing to wait for. Who is about to
 * store the 0 may have been interrupted, and need our P to go on. */
static bool lock_or_done(struct ant__m **m, ant_waitgroup *wg)
{
    int spins = 0;

    for (;;) {
        uint64_t word = ant__load_acquire(word_of(wg));

        if (word == 0)
            return false;
        if (*m && counter(word) == 0 && spins >= SPINS)
            *m = ant__reschedule(*m);
        else if (counter(word) == 0 || word & LOCKED)
            ant__back_off(&spins);
        else if (atomic_compare_exchange_weak_explicit(word_of(wg), &word, word | LOCKED | WAITERS,
                                                       memory_order_acquire, memory_order_relaxed))
            return true;
    }
}

/* With the lock; returns without it. False: the context was done before. */
static bool wait_by_record(struct ant__m **m, ant_waitgroup *wg, ant_chan *done)
{
    struct waiting w = {.wg = wg};

    ant__waiting_init(&w.base, *m, done, unlock_for);
    if (!ant__waiting_join(&w.base)) {
        unlock(wg);
        return false;
    }
    ant__queue_push(others_of(wg), &w.base.wait);
    if (ant__waiting_sleep(&w.base, m, ANT__WAIT_WAITGROUP))
        return true;
    if (lock_or_done(m, wg)) {
        ant__queue_remove(&w.base.wait);
        unlock(wg);
    }
    return false;
}

void ant_waitgroup_wait(ant_waitgroup *wg)
{
    struct ant__m *m;

    if (ant__load_acquire(word_of(wg)) == 0)
        return;
    m = ant__enter();
    if (lock_or_done(&m, wg)) {
        if (m)
            m = ant__park(m, ANT__WAIT_WAITGROUP, commit_wait, wg);
        else
            wait_by_record(&m, wg, NULL);
    }
    ant__leave_any(m);
}

int ant_waitgroup_wait_ctx(ant_waitgroup *wg, ant_ctx *ctx)
{
    int err = ant_ctx_err(ctx);
    struct ant__m *m;

    if (err || ant__load_acquire(word_of(wg)) == 0)
        return err;
    m = ant__enter();
    if (lock_or_done(&m, wg) && !wait_by_record(&m, wg, ant_ctx_done(ctx)))
        err = ant_ctx_err(ctx);
    ant__leave_any(m);
    return err;
}
