/* g.c - where Gs come from: slabs, a cache in each P, and a global list between them.
 *
 * Free Gs travel between a P and the global list in chains of 32 that are never taken apart, last
 * in first out. Gs that were freed one after the other are so used one after the other again, and
 * as they came from a slab in the order of their addresses they stay neighbours: a million of them
 * are walked in memory order, not at random. (Single Gs on the global list measured three times
 * slower after a few rounds.)
 *
 * A G is never given back to the system while the runtime runs, so a stale pointer to one still
 * points to a G, and the dump can walk all slabs without stopping anybody.
 */
#include <stdlib.h>
#include <string.h>

#include "runtime/runtime.h"

enum {
    SLAB_FIRST = 1 << 20, /* bytes */
    SLAB_MORE = 16 << 20,
    ID_BATCH = 64,
};

struct slab {
    struct slab *next;
    struct ant__g *gs;
    _Atomic uint8_t *marks; /* one for each, behind the last; for record.c */
    int n;
    _Atomic int used; /* the ones behind were never handed out */
};

static struct {
    struct ant__lock lock;
    struct ant__g *chains; /* their first Gs, linked by sp */
    struct ant__g *single; /* for threads without P, linked by next */
    int single_n;
    struct slab *slabs; /* newest first; only the first has Gs never used */
    struct slab *kept;  /* of earlier runs, see ant__gs_free */
} gs;

static size_t slab_bytes(int n)
{
    return (size_t)n * (sizeof(struct ant__g) + sizeof(uint8_t));
}

/* Threads that did not end in time may yet look at their G: then nothing is unmapped. */
void ant__gs_free(bool unmap)
{
    while (gs.slabs) {
        struct slab *slab = gs.slabs;

        gs.slabs = slab->next;
        if (unmap) {
            ant__unmap(slab->gs, slab_bytes(slab->n));
            free(slab);
        } else {
            slab->next = gs.kept;
            gs.kept = slab;
        }
    }
    gs.chains = gs.single = NULL;
    gs.single_n = 0;
}

/* A first touch costs a page fault: more than anything else that is done to a new G. From the
 * second slab on, where there are tens of thousands of them, huge pages make that one fault for
 * 32768. */
static int grow(void)
{
    size_t bytes = gs.slabs ? SLAB_MORE : SLAB_FIRST;
    int n = (int)(bytes / sizeof(struct ant__g));
    void *memory = NULL;
    struct slab *slab;
    int err = ant__alloc(&memory, sizeof *slab);

    if (err)
        return err;
    slab = memory;
    err = ant__map(&memory, slab_bytes(n));
    if (err) {
        free(slab);
        return err;
    }
    if (gs.slabs)
        ant__want_huge_pages(memory, bytes);
    slab->gs = memory;
    slab->marks = (_Atomic uint8_t *)&slab->gs[n];
    slab->n = n;
    slab->next = gs.slabs;
    gs.slabs = slab;
    return 0;
}

/* A chain of Gs never used. Under the lock. */
static struct ant__g *carve_chain(void)
{
    int used = gs.slabs ? ant__load_relaxed(&gs.slabs->used) : 0;
    struct ant__g *first;

    if (!gs.slabs || used == gs.slabs->n) {
        if (grow() != 0)
            return NULL;
        used = 0;
    }
    first = &gs.slabs->gs[used];
    for (int i = 0; i < ANT__G_CHAIN - 1; i++)
        first[i].next = &first[i + 1];
    first[ANT__G_CHAIN - 1].next = NULL;
    ant__store_relaxed(&gs.slabs->used, used + ANT__G_CHAIN);
    return first;
}

/* Under the lock. */
static struct ant__g *take_chain(void)
{
    struct ant__g *first = gs.chains;

    if (!first)
        return carve_chain();
    gs.chains = first->sp;
    return first;
}

static struct ant__g *chain_get(void)
{
    struct ant__g *first;

    ant__lock(&gs.lock);
    first = take_chain();
    ant__unlock(&gs.lock);
    return first;
}

/* Single ones that have come together make a chain again. Under the lock. */
static void chain_up(void)
{
    struct ant__g *last = gs.single;

    for (int i = 1; i < ANT__G_CHAIN; i++)
        last = last->next;
    gs.single->sp = gs.chains;
    gs.chains = gs.single;
    gs.single = last->next;
    gs.single_n -= ANT__G_CHAIN;
    last->next = NULL;
}

static void chain_put(struct ant__g *first)
{
    ant__lock(&gs.lock);
    first->sp = gs.chains;
    gs.chains = first;
    ant__unlock(&gs.lock);
}

struct ant__g *ant__g_get_slow(struct ant__p *p)
{
    p->g_free = p->g_spare ? p->g_spare : chain_get();
    p->g_spare = NULL;
    if (!p->g_free)
        return NULL;
    p->g_free_n = ANT__G_CHAIN;
    return ant__g_get(p);
}

/* A spare chain keeps a P that alternates between getting and putting away from the lock. */
void ant__g_put_slow(struct ant__p *p)
{
    if (p->g_spare)
        chain_put(p->g_spare);
    p->g_spare = p->g_free;
    p->g_free = NULL;
    p->g_free_n = 0;
}

void ant__g_drain(struct ant__p *p)
{
    struct ant__g *g;

    if (p->g_spare)
        chain_put(p->g_spare);
    p->g_spare = NULL;
    while ((g = p->g_free)) {
        p->g_free = g->next;
        ant__g_put_foreign(g);
    }
    p->g_free_n = 0;
}

struct ant__g *ant__g_get_foreign(void)
{
    struct ant__g *g;

    ant__lock(&gs.lock);
    if (!gs.single) {
        gs.single = take_chain();
        gs.single_n = gs.single ? ANT__G_CHAIN : 0;
    }
    g = gs.single;
    if (g) {
        gs.single = g->next;
        gs.single_n--;
    }
    ant__unlock(&gs.lock);
    return g;
}

void ant__g_put_foreign(struct ant__g *g)
{
    ant__store_relaxed(&g->state, ANT__G_FREE);
    ant__lock(&gs.lock);
    g->next = gs.single;
    gs.single = g;
    if (++gs.single_n == 2 * ANT__G_CHAIN)
        chain_up();
    ant__unlock(&gs.lock);
}

/* p == NULL: a single number. */
uint64_t ant__g_new_ids(struct ant__p *p)
{
    uint64_t n = p ? ID_BATCH : 1;
    uint64_t id = atomic_fetch_add_explicit(&ant__sched.next_id, n, memory_order_relaxed);

    if (p) {
        p->id_next = id + 1;
        p->id_end = id + n;
    }
    return id;
}

/* They only become more, at the front, while the runtime runs. */
static struct slab *newest_slab(void)
{
    struct slab *slab;

    ant__lock(&gs.lock);
    slab = gs.slabs;
    ant__unlock(&gs.lock);
    return slab;
}

_Atomic uint8_t *ant__g_mark(const struct ant__g *g)
{
    const struct slab *slab = newest_slab();

    while (g < slab->gs || g >= slab->gs + slab->n)
        slab = slab->next;
    return &slab->marks[g - slab->gs];
}

void ant__g_marks_clear(void)
{
    for (struct slab *slab = newest_slab(); slab; slab = slab->next)
        memset((void *)slab->marks, 0, (size_t)ant__load_relaxed(&slab->used));
}

void ant__g_visit(void (*visit)(struct ant__g *g, void *arg), void *arg)
{
    for (struct slab *slab = newest_slab(); slab; slab = slab->next) {
        int used = ant__load_relaxed(&slab->used); /* foreign threads go on making some */

        for (int i = 0; i < used; i++) {
            if (ant__load_acquire(&slab->gs[i].state) != ANT__G_FREE)
                visit(&slab->gs[i], arg);
        }
    }
}

int ant__g_count(void)
{
    int64_t n = 0;

    for (int i = 0; i < ant__load_acquire(&ant__sched.all_ps_n); i++) {
        struct ant__p *p = ant__p_at(i);

        n -= (int64_t)ant__load_relaxed(&p->ended);
        n += (int64_t)ant__load_relaxed(&p->created);
    }
    n += (int64_t)ant__load_relaxed(&ant__sched.foreign_created);
    return n < 0 ? 0 : (int)n;
}
