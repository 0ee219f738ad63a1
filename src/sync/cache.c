/* cache.c - objects put by for the next who needs one.
 *
 * Each P has a part of the cache. In it lie up to 2 * BLOCK objects at hand, which only the P's
 * thread touches, and only inside the runtime, where no other can have the P: they need no lock.
 * What exceeds them is put into blocks on the part's shared list, under its lock, where a P that
 * has none finds them too. Threads that are no Ms share one part, of which nothing is at hand.
 *
 * Ageing. Every AGE, by the cached clock of the P that notices it first, the shared lists become
 * the victims, and what were the victims are freed. A get that finds nothing else takes from the
 * victims. So what is put and got in turns is kept, and what nobody needs is freed after one or
 * two AGEs. When the whole runtime has been idle for a while all shared objects and victims are
 * freed; what is at hand stays.
 *
 * The parts are found by the number of the P in a table, which grows as Ps come; tables that were
 * outgrown are kept until the cache goes, since somebody may be reading in them.
 *
 * Rejected: one slot at hand and a lock-free queue for the rest, as in Go. Thieves then contend
 * with the owner for each object; here they take a block at a time, and the owner rarely needs the
 * lock.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/preempt.h"
#include "sync/sleep.h"

enum {
    BLOCK = 4,
    AGE_BITS = 31, /* of nanoseconds: 2.1 s */
};

struct block {
    struct block *next;
    int n; /* at least 1 */
    void *objects[BLOCK];
};

struct part {
    int n; /* at hand */
    void *objects[2 * BLOCK];

    struct ant__lock lock ant__aligned_line;
    struct block *shared, *victims;
} ant__aligned_line;

struct table {
    struct table *outgrown;
    int n;
    struct part *parts[]; /* the first is that of threads which are no Ms, then that of P 0 */
};

struct ant_cache {
    void *(*make)(void *arg);
    void (*destroy)(void *object, void *arg);
    void *arg;
    _Atomic(struct table *) table;
    _Atomic uint32_t age;
    _Atomic int pins;      /* trimming is at it, */
    struct block *in_hand; /* what trimming has in hand, linked. Under caches.lock */
    uint64_t pin_run; /* in this run; its goroutine may have been abandoned. Under caches.lock */
    struct ant__lock lock; /* of growing the table */
    ant_cache *next, **link;
};

/* All caches, for trimming. */
static struct {
    struct ant__lock lock;
    ant_cache *first;
} caches;

/* ---- parts ---- */

/* NULL: not made yet. Part 0 always is. */
static struct part *part_at(ant_cache *cache, int i)
{
    struct table *table = ant__load_acquire(&cache->table);

    return table && i < table->n ? __atomic_load_n(&table->parts[i], __ATOMIC_ACQUIRE) : NULL;
}

/* A table that has part i; under the cache's lock. */
static struct table *table_for(ant_cache *cache, int i)
{
    struct table *old = ant__load_relaxed(&cache->table), *table;
    void *memory;
    int n = old ? old->n : 4;

    if (old && i < old->n)
        return old;
    while (n <= i)
        n *= 2;
    if (ant__alloc(&memory, sizeof *table + (size_t)n * sizeof table->parts[0]) != 0)
        return NULL;
    table = memory;
    table->outgrown = old;
    table->n = n;
    for (int k = 0; old && k < old->n; k++)
        table->parts[k] = old->parts[k];
    ant__store_release(&cache->table, table);
    return table;
}

/* Makes part i, unless there is no memory. */
static ant__noinline void make_part(ant_cache *cache, int i)
{
    struct table *table;
    void *memory;
    uint8_t was = ant__lock_steady(&cache->lock);

    table = table_for(cache, i);
    if (table && !table->parts[i] &&
        ant__alloc_aligned(&memory, ANT__CACHE_LINE, sizeof(struct part)) == 0)
        __atomic_store_n(&table->parts[i], memory, __ATOMIC_RELEASE);
    ant__unlock_steady(&cache->lock, was);
}

static int parts_n(ant_cache *cache)
{
    struct table *table = ant__load_acquire(&cache->table);

    return table ? table->n : 0;
}

/* ---- blocks ---- */

static struct block *take_from(struct part *part, bool victim)
{
    struct block **list = victim ? &part->victims : &part->shared;
    struct block *b;
    uint8_t was;

    /* A look without the lock: empty lists must not cost the thieves one each. */
    if (!__atomic_load_n(list, __ATOMIC_RELAXED))
        return NULL;
    was = ant__lock_steady(&part->lock);
    b = *list;
    if (b)
        __atomic_store_n(list, b->next, __ATOMIC_RELAXED);
    ant__unlock_steady(&part->lock, was);
    return b;
}

static void give_to(struct part *part, struct block *b)
{
    uint8_t was = ant__lock_steady(&part->lock);

    b->next = part->shared;
    __atomic_store_n(&part->shared, b, __ATOMIC_RELAXED);
    ant__unlock_steady(&part->lock, was);
}

static void destroy_blocks(ant_cache *cache, struct block *b)
{
    while (b) {
        struct block *next = b->next;

        for (int i = 0; i < b->n; i++)
            cache->destroy(b->objects[i], cache->arg);
        free(b);
        b = next;
    }
}

/* A block of any part, first of part i, first of the shared ones. */
static struct block *find_block(ant_cache *cache, int i)
{
    int n = parts_n(cache);

    for (int victim = 0; victim < 2; victim++) {
        for (int k = 0; k < n; k++) {
            struct part *part = part_at(cache, (i + k) % n);
            struct block *b = part ? take_from(part, victim) : NULL;

            if (b)
                return b;
        }
    }
    return NULL;
}

/* ---- ageing ---- */

/* Frees the victims; and makes victims of the rest, or frees it too. */
static void age(ant_cache *cache, bool all)
{
    int n = parts_n(cache);
    uint8_t was;

    for (int i = 0; i < n; i++) {
        struct part *part = part_at(cache, i);
        struct block *victims, *shared = NULL;

        if (!part)
            continue;
        was = ant__lock_steady(&part->lock);
        victims = part->victims;
        if (all)
            shared = part->shared;
        __atomic_store_n(&part->victims, all ? NULL : part->shared, __ATOMIC_RELAXED);
        __atomic_store_n(&part->shared, NULL, __ATOMIC_RELAXED);
        ant__unlock_steady(&part->lock, was);
        destroy_blocks(cache, victims);
        destroy_blocks(cache, shared);
    }
}

/* True, for one caller, if the time has come. */
static bool is_due(ant_cache *cache, ant_time now)
{
    uint32_t then = ant__load_relaxed(&cache->age), age_now = (uint32_t)(now >> AGE_BITS);

    /* Only forwards: the clocks of Ps that have not switched for long are behind. */
    return ant__unlikely((int32_t)(age_now - then) > 0) &&
           atomic_compare_exchange_strong(&cache->age, &then, age_now);
}

static bool has_blocks(ant_cache *cache)
{
    int n = parts_n(cache);

    for (int i = 0; i < n; i++) {
        struct part *part = part_at(cache, i);

        if (part && (__atomic_load_n(&part->shared, __ATOMIC_RELAXED) ||
                     __atomic_load_n(&part->victims, __ATOMIC_RELAXED)))
            return true;
    }
    return false;
}

/* Under caches.lock. */
static void pin(ant_cache *cache)
{
    uint64_t run = atomic_load(&ant__sched.run);

    if (cache->pin_run != run)
        atomic_store(&cache->pins, 0);
    cache->pin_run = run;
    atomic_fetch_add(&cache->pins, 1);
}

/* The cache is on no list any more. */
static bool is_pinned(ant_cache *cache)
{
    return atomic_load(&cache->pins) > 0 && atomic_load(&ant__sched.life) != ANT__OFF &&
           atomic_load(&ant__sched.run) == cache->pin_run;
}

/* Takes a block of any cache, which is pinned: whoever destroys it waits. */
static struct block *take_any(ant_cache **ret_cache)
{
    struct block *b = NULL;
    uint8_t was = ant__lock_steady(&caches.lock);

    for (ant_cache *c = caches.first; c && !b; c = c->next) {
        b = find_block(c, 0);
        if (b) {
            *ret_cache = c;
            pin(c);
            b->next = c->in_hand;
            c->in_hand = b;
        }
    }
    ant__unlock_steady(&caches.lock, was);
    return b;
}

/* One by one: if a stop abandons us in the middle, the rest can still be found. */
static void destroy_objects(ant_cache *cache, struct block *b)
{
    while (b->n > 0) {
        b->n--;
        cache->destroy(b->objects[b->n], cache->arg);
    }
}

static void put_down(ant_cache *cache, struct block *b)
{
    struct block **link = &cache->in_hand;
    uint8_t was = ant__lock_steady(&caches.lock);

    while (*link != b)
        link = &(*link)->next;
    *link = b->next;
    ant__unlock_steady(&caches.lock, was);
    free(b);
}

static bool any_has_blocks(void)
{
    bool any = false;
    uint8_t was = ant__lock_steady(&caches.lock);

    for (ant_cache *c = caches.first; c && !any; c = c->next)
        any = has_blocks(c);
    ant__unlock_steady(&caches.lock, was);
    return any;
}

/* All has been idle for a while: a block of any cache goes. */
static bool trim_block(bool only_look)
{
    ant_cache *cache;
    struct block *b;

    if (only_look)
        return any_has_blocks();
    b = take_any(&cache);
    if (!b)
        return false;
    destroy_objects(cache, b);
    put_down(cache, b);
    atomic_fetch_sub(&cache->pins, 1);
    return true;
}

/* ---- the calls ---- */

int ant_cache_new(ant_cache **ret_cache, void *(*make)(void *arg),
                  void (*destroy)(void *object, void *arg), void *arg)
{
    ant_cache *cache;
    void *memory;
    int err;
    uint8_t was;

    if (!ret_cache || !destroy)
        return -EINVAL;
    err = ant__alloc(&memory, sizeof *cache);
    if (err)
        return err;
    cache = memory;
    make_part(cache, 0);
    if (!part_at(cache, 0)) {
        free(ant__load_relaxed(&cache->table));
        free(cache);
        return -ENOMEM;
    }
    *ret_cache = cache;
    cache->make = make;
    cache->destroy = destroy;
    cache->arg = arg;
    cache->age = (uint32_t)(ant__now() >> AGE_BITS);
    was = ant__lock_steady(&caches.lock);
    cache->next = caches.first;
    cache->link = &caches.first;
    if (cache->next)
        cache->next->link = &cache->next;
    caches.first = cache;
    ant__unlock_steady(&caches.lock, was);
    ant__store_release(&ant__trim_others, trim_block);
    return 0;
}

static void destroy_part(ant_cache *cache, struct part *part)
{
    if (!part)
        return;
    for (int i = 0; i < part->n; i++)
        cache->destroy(part->objects[i], cache->arg);
    free(part);
}

void ant_cache_destroy(ant_cache *cache)
{
    struct table *table;
    uint8_t was;

    if (!cache)
        return;
    was = ant__lock_steady(&caches.lock);
    *cache->link = cache->next;
    if (cache->next)
        cache->next->link = cache->link;
    ant__unlock_steady(&caches.lock, was);
    while (is_pinned(cache))
        ant_yield();
    while (cache->in_hand) { /* of an abandoned one */
        destroy_objects(cache, cache->in_hand);
        put_down(cache, cache->in_hand);
    }
    age(cache, true);
    table = ant__load_relaxed(&cache->table);
    for (int i = 0; table && i < table->n; i++)
        destroy_part(cache, table->parts[i]);
    while (table) {
        struct table *outgrown = table->outgrown;

        free(table);
        table = outgrown;
    }
    free(cache);
}

/* The number of the part that is ours: 0 for who is no M. */
static inline int own_part(const struct ant__m *m)
{
    return m ? m->p->id + 1 : 0;
}

static ant__noinline void *get_slow(ant_cache *cache)
{
    struct ant__m *m = ant__enter();
    int own = own_part(m);
    struct block *b = find_block(cache, own);
    struct part *part = part_at(cache, own);
    void *object;

    if (!b) {
        ant__leave_any(m);
        return cache->make ? cache->make(cache->arg) : NULL;
    }
    object = b->objects[--b->n];
    while (m && part && b->n > 0 && part->n < 2 * BLOCK)
        part->objects[part->n++] = b->objects[--b->n];
    ant__leave_any(m);
    if (b->n > 0)
        give_to(part_at(cache, 0), b);
    else
        free(b);
    return object;
}

void *ant_cache_get(ant_cache *cache)
{
    struct ant__m *m = ant__enter();
    struct part *part = m ? part_at(cache, own_part(m)) : NULL;
    void *object;

    if (ant__likely(part && part->n > 0)) {
        object = part->objects[--part->n];
        ant__leave(m);
        return object;
    }
    ant__leave_any(m);
    return get_slow(cache);
}

/* Into the first block, if that has room. */
static bool join_block(struct part *part, void *object)
{
    bool joined;
    uint8_t was = ant__lock_steady(&part->lock);

    joined = part->shared && part->shared->n < BLOCK;
    if (joined)
        part->shared->objects[part->shared->n++] = object;
    ant__unlock_steady(&part->lock, was);
    return joined;
}

static void share(ant_cache *cache, struct part *part, void **objects, int n)
{
    struct block *b;
    void *memory;

    if (n == 1 && join_block(part, objects[0]))
        return;
    if (ant__alloc(&memory, sizeof *b) != 0) {
        for (int i = 0; i < n; i++)
            cache->destroy(objects[i], cache->arg);
        return;
    }
    b = memory;
    b->n = n;
    memcpy(b->objects, objects, (size_t)n * sizeof *objects);
    give_to(part, b);
}

static ant__noinline void put_slow(ant_cache *cache, void *object)
{
    struct ant__m *m = ant__enter();
    int own = own_part(m), n = 1;
    struct part *part = m ? part_at(cache, own) : NULL;
    void *objects[BLOCK] = {object};

    if (part && part->n == 2 * BLOCK) {
        /* The oldest go, this one stays. */
        memcpy(objects, part->objects, sizeof objects);
        memmove(part->objects, part->objects + BLOCK, BLOCK * sizeof(void *));
        part->objects[BLOCK] = object;
        part->n = BLOCK + 1;
        n = BLOCK;
    }
    ant__leave_any(m);
    if (m && !part)
        make_part(cache, own);
    share(cache, part ? part : part_at(cache, 0), objects, n);
}

void ant_cache_put(ant_cache *cache, void *object)
{
    struct ant__m *m = ant__enter();
    struct part *part = m ? part_at(cache, own_part(m)) : NULL;
    bool due = is_due(cache, m ? m->p->now : ant__now());

    if (ant__likely(part && object && part->n < 2 * BLOCK)) {
        part->objects[part->n++] = object;
        ant__leave(m);
    } else {
        ant__leave_any(m);
        if (object)
            put_slow(cache, object);
    }
    if (ant__unlikely(due))
        age(cache, false);
}

void ant_cache_trim(ant_cache *cache)
{
    age(cache, false);
}
