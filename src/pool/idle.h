/* idle.h - where the idle workers of a shard lie: a stack, or a ring that was allocated beforehand.
 *
 * A worker enters when its task is done, with the time, and leaves when it gets the next one. Times
 * never decrease in the order of entering; so those that are idle for too long are the first ones,
 * found by binary search. All functions run under the shard's lock.
 */
#ifndef ANT_POOL_IDLE_H
#define ANT_POOL_IDLE_H

#include "base/clock.h"
#include "base/compiler.h"

/* A worker without a task owns no stack and no goroutine: only this. */
struct ant__worker {
    struct ant__team *team;
    union {
        ant_time last_used;              /* while it is idle */
        struct ant__worker *next_queued; /* while its task waits in the queue */
    };
    void (*fn)(void *); /* its task ... */
    union {
        void *arg;                /* ... and that one's argument */
        struct ant__worker *next; /* in a list of workers without a task */
    };
    void *copy; /* of an argument that is too large for room, or NULL */
    struct ant__worker *next_all, **link_all;
    _Alignas(16) char room[]; /* for a copied argument: pool->room bytes */
};

enum { ANT__WORKERS_AHEAD = 5 }; /* so many places before its turn a record is fetched */

/* ant__alloc, where the stack may be too small for malloc (worker.c). */
int ant__pool_alloc(void **ret_memory, size_t size);

/* Which of the two is used is settled when the pool is made. */
struct ant__idle {
    struct ant__worker **items;
    size_t len;
    size_t slots; /* of items */
    size_t first; /* the slot of the oldest one: 0 of a stack */
    bool is_ring;
};

/* size: slots to allocate; a stack may begin with none. 0, -EINVAL: a ring of size 0, -ENOMEM. */
int ant__idle_stack_init(struct ant__idle *idle, size_t size);
int ant__idle_ring_init(struct ant__idle *idle, size_t size);
void ant__idle_free(struct ant__idle *idle);

/* 0; -ENOMEM: a stack that could not grow; -ENOSPC: a full ring. */
int ant__idle_stack_push(struct ant__idle *idle, struct ant__worker *w);
int ant__idle_ring_push(struct ant__idle *idle, struct ant__worker *w);

/* The oldest of a ring, or NULL. */
struct ant__worker *ant__idle_ring_shift(struct ant__idle *idle);

/* How many entered at the cutoff or before it: they are the oldest ones. */
size_t ant__idle_expired(const struct ant__idle *idle, ant_time cutoff);

/* Takes the n oldest out; a list by next, the oldest first. */
struct ant__worker *ant__idle_stack_cut(struct ant__idle *idle, size_t n);
struct ant__worker *ant__idle_ring_cut(struct ant__idle *idle, size_t n);

/* Moves the newer half of one stack, rounded up, to another one, which is empty. */
void ant__idle_stack_split(struct ant__idle *from, struct ant__idle *to);

static inline int ant__idle_push(struct ant__idle *idle, struct ant__worker *w)
{
    return ant__unlikely(idle->is_ring) ? ant__idle_ring_push(idle, w)
                                        : ant__idle_stack_push(idle, w);
}

static inline struct ant__worker *ant__idle_cut(struct ant__idle *idle, size_t n)
{
    return idle->is_ring ? ant__idle_ring_cut(idle, n) : ant__idle_stack_cut(idle, n);
}

/* The slot of the i-th, counted from the oldest. */
static inline size_t ant__idle_slot(const struct ant__idle *idle, size_t i)
{
    size_t slot = idle->first + i;

    return slot < idle->slots ? slot : slot - idle->slots;
}

/* The newest, of a stack or a ring, or NULL. Pushed again it lies where it was. */
static inline struct ant__worker *ant__idle_pop(struct ant__idle *idle)
{
    if (ant__unlikely(idle->len == 0))
        return NULL;
    idle->len--;
    /* The record was last written by another P, often. */
    if (idle->len >= ANT__WORKERS_AHEAD)
        ant__prefetch(idle->items[ant__idle_slot(idle, idle->len - ANT__WORKERS_AHEAD)]);
    return idle->items[ant__idle_slot(idle, idle->len)];
}

/* len is not 0. */
static inline struct ant__worker *ant__idle_oldest(const struct ant__idle *idle)
{
    return idle->items[idle->first];
}

#endif
