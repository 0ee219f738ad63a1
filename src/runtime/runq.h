/* runq.h - a P's own run queue: a ring of 256 that its owner fills and everybody empties, and one
 * slot, runnext, for the goroutine that is to run next.
 *
 * The ring. head and tail count freely and wrap around; slot = counter mod 256. Only the owner
 * writes tail and slots; whoever moves head by a compare-and-swap owns what lay between.
 * - put: the load of head (acquire) pairs with the CAS of head (release) by which a thief says that
 *   it has read the slot we are about to overwrite; the store of tail (release) publishes the slot.
 * - get and steal: the load of tail by a thief (acquire) pairs with that store. Slots are read
 *   before the CAS of head: a thief may read one that is being overwritten, but then head has
 *   moved, its CAS fails, and what it read is thrown away. Hence slots are atomics, accessed
 *   relaxed.
 * - The counters cannot come round to the same value between a thief's load and its CAS unless
 *   2^32 goroutines pass in between.
 *
 * runnext. Only the owner sets it non-NULL; owner and thieves take it by exchange or CAS. So if the
 * owner finds it NULL it stays NULL.
 *
 * Private. The queue of the only P there is has no thieves, so that its owner may do with loads and
 * stores what else takes a compare-and-swap or an exchange. Before
 * the P gets company all Ms are paused, so that its owner is not in the middle of that, and the queue
 * is shared, for good: a thief looks at that (acquire) before it takes anything. An owner that is no M,
 * and so is not paused, takes as if there were thieves.
 *
 * Rejected: a Chase-Lev deque. Its owner pops the newest, which starves the oldest, and it needs a
 * full fence in each pop where this ring needs one CAS.
 */
#ifndef ANT_RUNTIME_RUNQ_H
#define ANT_RUNTIME_RUNQ_H

#include "base/compiler.h"

enum { ANT__RUNQ_SIZE = 256, ANT__RUNQ_MASK = ANT__RUNQ_SIZE - 1 };

struct ant__g;
struct ant__glist;

struct ant__runq {
    _Atomic uint32_t head; /* thieves and owner take here */
    _Atomic uint32_t tail; /* only the owner writes */
    _Atomic(struct ant__g *) next;
    _Atomic bool private; /* there are no thieves */
    _Atomic(struct ant__g *) ring[ANT__RUNQ_SIZE];
};

/* Appends g to a full ring, after moving the older half to *overflow. */
void ant__runq_put_slow(struct ant__runq *q, struct ant__g *g, struct ant__glist *overflow);

static inline bool ant__runq_advance(struct ant__runq *q, uint32_t head, uint32_t n)
{
    /* release: our reads of the slots are done. Failure needs no order, the caller starts over. */
    return atomic_compare_exchange_strong_explicit(&q->head, &head, head + n, memory_order_release,
                                                   memory_order_relaxed);
}

static inline bool ant__runq_is_private(struct ant__runq *q)
{
    return ant__likely(ant__load_relaxed(&q->private)); /* if not, a branch more does not matter */
}

/* Under a pause. */
static inline void ant__runq_share(struct ant__runq *q)
{
    ant__store_release(&q->private, false);
}

/* Appends g if there is room. Owner only. */
static inline bool ant__runq_try_put(struct ant__runq *q, struct ant__g *g)
{
    uint32_t tail = ant__load_relaxed(&q->tail);

    if (ant__unlikely(tail - ant__load_acquire(&q->head) >= ANT__RUNQ_SIZE))
        return false;
    ant__store_relaxed(&q->ring[tail & ANT__RUNQ_MASK], g);
    ant__store_release(&q->tail, tail + 1);
    return true;
}

/* Appends g; when the ring is full, its older half goes to *overflow first. Owner only. */
static inline void ant__runq_put(struct ant__runq *q, struct ant__g *g, struct ant__glist *overflow)
{
    if (ant__unlikely(!ant__runq_try_put(q, g)))
        ant__runq_put_slow(q, g, overflow);
}

/* Puts g into the slot that runs next and returns the one that was there, to be appended. Owner
 * only. A full barrier, unless the queue is private. */
static inline struct ant__g *ant__runq_swap_next(struct ant__runq *q, struct ant__g *g)
{
    struct ant__g *old;

    if (!ant__runq_is_private(q))
        return atomic_exchange(&q->next, g);
    old = ant__load_relaxed(&q->next);
    ant__store_release(&q->next, g);
    return old;
}

/* Takes runnext, if it is set. Owner only. */
static inline struct ant__g *ant__runq_take_next(struct ant__runq *q)
{
    struct ant__g *g = ant__load_relaxed(&q->next);

    if (g && ant__runq_is_private(q))
        ant__store_relaxed(&q->next, NULL);
    else if (g)
        g = atomic_exchange_explicit(&q->next, NULL, memory_order_acq_rel);
    return g;
}

/* Takes the oldest of the ring, as if there were thieves. Owner only. */
static inline struct ant__g *ant__runq_take_oldest(struct ant__runq *q)
{
    for (;;) {
        uint32_t head = ant__load_relaxed(&q->head); /* only a hint, the CAS decides */
        struct ant__g *g;

        if (ant__unlikely(head == ant__load_relaxed(&q->tail)))
            return NULL;
        g = ant__load_relaxed(&q->ring[head & ANT__RUNQ_MASK]);
        if (ant__likely(ant__runq_advance(q, head, 1)))
            return g;
    }
}

/* Owner only, and an M. */
static inline struct ant__g *ant__runq_get(struct ant__runq *q)
{
    struct ant__g *g = ant__runq_take_next(q);
    uint32_t head;

    if (g)
        return g;
    if (!ant__runq_is_private(q))
        return ant__runq_take_oldest(q);
    head = ant__load_relaxed(&q->head);
    if (ant__unlikely(head == ant__load_relaxed(&q->tail)))
        return NULL;
    g = ant__load_relaxed(&q->ring[head & ANT__RUNQ_MASK]);
    ant__store_release(&q->head, head + 1);
    return g;
}

/* The same for who need not be an M, and so does not stop for a pause (sysmon, with a P in its hands
 * that it has taken). */
static inline struct ant__g *ant__runq_get_shared(struct ant__runq *q)
{
    struct ant__g *g = atomic_exchange_explicit(&q->next, NULL, memory_order_acq_rel);

    return g ? g : ant__runq_take_oldest(q);
}

/* Moves half of victim's ring into `own`, returning one of it to run; *ret_n says how many. With
 * with_next also runnext, if the ring is empty. Nothing if it is private. Owner of `own` only. */
struct ant__g *ant__runq_steal(struct ant__runq *own, struct ant__runq *victim, bool with_next,
                               int *ret_n);
bool ant__runq_empty(struct ant__runq *q);
int ant__runq_len(struct ant__runq *q); /* without runnext */

#endif
