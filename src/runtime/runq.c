/* runq.c - a P's own run queue: a ring of 256 that its owner fills and everybody empties, and one
 * slot, runnext, for the goroutine that is to run next.
 *
 * The ring. head and tail count freely and wrap around; slot = counter mod 256. Only the owner
 * writes tail and slots; whoever moves head by a compare-and-swap owns what lay between.
 * - put: the load of head (acquire) pairs with the CAS of head (release) by which a thief says that
 *   it has read the slot we are about to overwrite; the store of tail (release) publishes the slot.
 * - get and steal: the load of tail by a thief (acquire) pairs with that store. Slots are read before
 *   the CAS of head: a thief may read one that is being overwritten, but then head has moved, its CAS
 *   fails, and what it read is thrown away. Hence slots are atomics, accessed relaxed.
 * - The counters cannot come round to the same value between a thief's load and its CAS unless
 *   2^32 goroutines pass in between.
 *
 * runnext. Only the owner sets it non-NULL; owner and thieves take it by exchange or CAS. So if the
 * owner finds it NULL it stays NULL.
 *
 * Rejected: a Chase-Lev deque. Its owner pops the newest, which starves the oldest, and it needs a
 * full fence in each pop where this ring needs one CAS.
 */
#include "runtime/runtime.h"

enum { MASK = ANT__RUNQ_SIZE - 1, HALF = ANT__RUNQ_SIZE / 2 };

static bool advance_head(struct ant__runq *q, uint32_t head, uint32_t n)
{
    /* release: our reads of the slots are done. Failure needs no order, the caller starts over. */
    return atomic_compare_exchange_strong_explicit(&q->head, &head, head + n, memory_order_release,
                                                   memory_order_relaxed);
}

/* Takes half of a full ring. False if it turned out not to be full. Only the owner overwrites
 * slots, so the owner, unlike a thief, may read them after its CAS. */
static bool take_half(struct ant__runq *q, uint32_t head, struct ant__glist *out)
{
    if (!advance_head(q, head, HALF))
        return false;
    for (uint32_t i = 0; i < HALF; i++)
        ant__glist_push(out, ant__load_relaxed(&q->ring[(head + i) & MASK]));
    return true;
}

void ant__runq_put(struct ant__runq *q, struct ant__g *g, struct ant__glist *overflow)
{
    uint32_t tail = ant__load_relaxed(&q->tail);

    for (;;) {
        uint32_t head = ant__load_acquire(&q->head);

        if (ant__likely(tail - head < ANT__RUNQ_SIZE)) {
            ant__store_relaxed(&q->ring[tail & MASK], g);
            ant__store_release(&q->tail, tail + 1);
            return;
        }
        if (take_half(q, head, overflow)) {
            ant__glist_push(overflow, g);
            return;
        }
    }
}

void ant__runq_put_next(struct ant__runq *q, struct ant__g *g, struct ant__glist *overflow)
{
    struct ant__g *old = atomic_exchange_explicit(&q->next, g, memory_order_acq_rel);

    if (old)
        ant__runq_put(q, old, overflow);
}

static struct ant__g *take_next(struct ant__runq *q)
{
    if (!ant__load_relaxed(&q->next))
        return NULL;
    return atomic_exchange_explicit(&q->next, NULL, memory_order_acq_rel);
}

void ant__runq_demote_next(struct ant__runq *q, struct ant__glist *overflow)
{
    struct ant__g *g = take_next(q);

    if (g)
        ant__runq_put(q, g, overflow);
}

struct ant__g *ant__runq_get(struct ant__runq *q)
{
    struct ant__g *g = take_next(q);

    while (!g) {
        uint32_t head = ant__load_acquire(&q->head);

        if (head == ant__load_relaxed(&q->tail))
            return NULL;
        g = ant__load_relaxed(&q->ring[head & MASK]);
        if (!advance_head(q, head, 1))
            g = NULL;
    }
    return g;
}

/* Before we take away what a running P is about to run next, a moment's grace: most often its
 * goroutine is just about to park. */
static struct ant__g *steal_next(struct ant__runq *victim)
{
    struct ant__g *g = ant__load_relaxed(&victim->next);

    if (!g)
        return NULL;
    for (int i = 0; i < 64; i++) {
        ant__pause();
        if (ant__load_relaxed(&victim->next) != g)
            return NULL;
    }
    /* acquire: pairs with the owner's exchange, so that we see what it wrote into g */
    if (!atomic_compare_exchange_strong_explicit(&victim->next, &g, NULL, memory_order_acquire,
                                                 memory_order_relaxed))
        return NULL;
    return g;
}

struct ant__g *ant__runq_steal(struct ant__runq *own, struct ant__runq *victim, bool with_next,
                               int *ret_n)
{
    uint32_t tail = ant__load_relaxed(&own->tail);

    for (;;) {
        uint32_t head = ant__load_acquire(&victim->head);
        uint32_t n = ant__load_acquire(&victim->tail) - head;
        struct ant__g *g = NULL;

        n -= n / 2;
        if (n == 0) {
            g = with_next ? steal_next(victim) : NULL;
            *ret_n = g ? 1 : 0;
            return g;
        }
        if (n > HALF)
            continue; /* the two loads did not fit together */
        /* Copied beyond our tail, where nobody looks, and published only if the CAS succeeds. */
        for (uint32_t i = 0; i < n; i++) {
            g = ant__load_relaxed(&victim->ring[(head + i) & MASK]);
            ant__store_relaxed(&own->ring[(tail + i) & MASK], g);
        }
        if (!advance_head(victim, head, n))
            continue;
        /* The last one is run at once. Its slot stays unpublished. */
        ant__store_release(&own->tail, tail + n - 1);
        *ret_n = (int)n;
        return g;
    }
}

bool ant__runq_empty(struct ant__runq *q)
{
    /* runnext may be kicked into the ring between our looks: accept only if tail stood still. */
    for (;;) {
        uint32_t head = ant__load_acquire(&q->head);
        uint32_t tail = ant__load_acquire(&q->tail);
        struct ant__g *next = ant__load_acquire(&q->next);

        if (tail == ant__load_acquire(&q->tail))
            return head == tail && !next;
    }
}

int ant__runq_len(struct ant__runq *q)
{
    uint32_t head = ant__load_acquire(&q->head);
    uint32_t n = ant__load_acquire(&q->tail) - head;

    return n > ANT__RUNQ_SIZE ? ANT__RUNQ_SIZE : (int)n;
}
