/* g.c - where Gs come from: slabs, a cache in each P, and a global list between them.
 *
 * A G is never given back to the system while the runtime runs, so a stale pointer to one still
 * points to a G, and the dump can walk all slabs without stopping anybody.
 */
#include <stdlib.h>

#include "runtime/runtime.h"

enum {
    SLAB_BYTES = 1 << 20,
    SLAB_GS = SLAB_BYTES / sizeof(struct ant__g),
    BATCH = ANT__G_CACHE / 2,
    ID_BATCH = 64,
};

struct slab {
    struct slab *next;
    struct ant__g *gs;
    int used; /* the ones behind were never handed out */
};

static struct {
    struct ant__lock lock;
    struct ant__g *free; /* linked by next */
    struct slab *slabs;  /* newest first; only the first has Gs never used */
} gs;

static void slab_free(struct slab *slab)
{
    for (int i = 0; i < slab->used; i++)
        ant__locals_free(&slab->gs[i]);
    ant__unmap(slab->gs, SLAB_BYTES);
    free(slab);
}

void ant__gs_free(bool unmap)
{
    while (gs.slabs) {
        struct slab *slab = gs.slabs;

        gs.slabs = slab->next;
        if (unmap)
            slab_free(slab);
    }
    gs.free = NULL;
}

static int grow(void)
{
    void *memory = NULL;
    struct slab *slab;
    int err = ant__alloc(&memory, sizeof *slab);

    if (err)
        return err;
    slab = memory;
    err = ant__map(&memory, SLAB_BYTES);
    if (err) {
        free(slab);
        return err;
    }
    slab->gs = memory;
    slab->next = gs.slabs;
    gs.slabs = slab;
    return 0;
}

/* Up to n Gs as a list; fewer, even none, if memory is short. Under the lock. */
static struct ant__g *take(int n, int *ret_n)
{
    struct ant__g *list = NULL;
    int got = 0;

    while (got < n) {
        struct ant__g *g = gs.free;

        if (g) {
            gs.free = g->next;
        } else {
            if ((!gs.slabs || gs.slabs->used == SLAB_GS) && grow() != 0)
                break;
            g = &gs.slabs->gs[gs.slabs->used++];
        }
        g->next = list;
        list = g;
        got++;
    }
    *ret_n = got;
    return list;
}

struct ant__g *ant__g_get_slow(struct ant__p *p)
{
    ant__lock(&gs.lock);
    p->g_free = take(BATCH, &p->g_free_n);
    ant__unlock(&gs.lock);
    return p->g_free ? ant__g_get(p) : NULL;
}

void ant__g_spill(struct ant__p *p, int keep)
{
    struct ant__g *first = p->g_free, *last = first;
    int n = p->g_free_n - keep;

    if (n <= 0)
        return;
    for (int i = 1; i < n; i++)
        last = last->next;
    p->g_free = last->next;
    p->g_free_n = keep;
    ant__lock(&gs.lock);
    last->next = gs.free;
    gs.free = first;
    ant__unlock(&gs.lock);
}

struct ant__g *ant__g_get_foreign(void)
{
    struct ant__g *g;
    int n;

    ant__lock(&gs.lock);
    g = take(1, &n);
    ant__unlock(&gs.lock);
    return g;
}

void ant__g_put_foreign(struct ant__g *g)
{
    ant__store_relaxed(&g->state, ANT__G_FREE);
    ant__lock(&gs.lock);
    g->next = gs.free;
    gs.free = g;
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

void ant__g_visit(void (*visit)(struct ant__g *g, void *arg), void *arg)
{
    struct slab *slab;

    ant__lock(&gs.lock);
    slab = gs.slabs;
    ant__unlock(&gs.lock);
    for (; slab; slab = slab->next) {
        for (int i = 0; i < SLAB_GS; i++) {
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
