/* runq.c - what is rare or far from the owner's fast path; see runq.h. */
#include "runtime/runtime.h"

enum {
    HALF = ANT__RUNQ_SIZE / 2,
    AHEAD = 8,
};

/* Who takes Gs from a list waits for the memory of each before it knows the next. So each that has
 * not begun, and so has no use for sp, is told of one further on, to be fetched meanwhile: see
 * global_take. */
static void link_ahead(struct ant__runq *q, uint32_t at)
{
    struct ant__g *g = ant__load_relaxed(&q->ring[at & ANT__RUNQ_MASK]);

    if (!g->stack)
        g->sp = ant__load_relaxed(&q->ring[(at + AHEAD) & ANT__RUNQ_MASK]);
}

/* Only the owner overwrites slots, so the owner, unlike a thief, may read them after its CAS. */
void ant__runq_put_slow(struct ant__runq *q, struct ant__g *g, struct ant__glist *overflow)
{
    while (!ant__runq_try_put(q, g)) {
        uint32_t head = ant__load_acquire(&q->head);

        if (ant__load_relaxed(&q->tail) - head < ANT__RUNQ_SIZE ||
            !ant__runq_advance(q, head, HALF))
            continue;
        for (uint32_t i = 0; i < HALF; i++) {
            link_ahead(q, head + i);
            ant__glist_push(overflow, ant__load_relaxed(&q->ring[(head + i) & ANT__RUNQ_MASK]));
        }
    }
}

static struct ant__g *steal_next(struct ant__runq *victim)
{
    struct ant__g *g = ant__load_relaxed(&victim->next);

    /* acquire: pairs with the owner's exchange, so that we see what it wrote into g */
    if (!g || !atomic_compare_exchange_strong_explicit(&victim->next, &g, NULL,
                                                       memory_order_acquire, memory_order_relaxed))
        return NULL;
    return g;
}

struct ant__g *ant__runq_steal(struct ant__runq *own, struct ant__runq *victim, bool with_next,
                               int *ret_n)
{
    uint32_t tail = ant__load_relaxed(&own->tail);

    *ret_n = 0;
    if (ant__load_acquire(&victim->private))
        return NULL;
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
            g = ant__load_relaxed(&victim->ring[(head + i) & ANT__RUNQ_MASK]);
            ant__store_relaxed(&own->ring[(tail + i) & ANT__RUNQ_MASK], g);
        }
        if (!ant__runq_advance(victim, head, n))
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
