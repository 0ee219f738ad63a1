/* ready.h - workers with a task that nobody has begun: first in, first out. Under the shard's
 * lock. */
#ifndef ANT_POOL_READY_H
#define ANT_POOL_READY_H

#include "pool/idle.h"

struct ant__ready {
    struct ant__worker **items;
    uint32_t mask; /* the number of slots, a power of 2, minus 1; without any: 0 */
    uint32_t first;
    uint32_t len;
};

int ant__ready_grow(struct ant__ready *ready); /* twice as many slots; 0, -ENOMEM */
/* Moves the older half of one, rounded up, but not more than a handful, to the end of another. */
void ant__ready_share(struct ant__ready *from, struct ant__ready *to);

static inline bool ant__ready_has_room(const struct ant__ready *ready)
{
    return ready->items && ready->len <= ready->mask;
}

/* There must be room. */
static inline void ant__ready_push(struct ant__ready *ready, struct ant__worker *w)
{
    ready->items[(ready->first + ready->len++) & ready->mask] = w;
}

static inline struct ant__worker *ant__ready_pop(struct ant__ready *ready)
{
    struct ant__worker *w;

    if (ready->len == 0)
        return NULL;
    w = ready->items[ready->first++ & ready->mask];
    ready->len--;
    /* As in ant__idle_pop. */
    if (ready->len >= ANT__WORKERS_AHEAD)
        ant__prefetch(ready->items[(ready->first + ANT__WORKERS_AHEAD - 1) & ready->mask]);
    return w;
}

/* Takes back what was pushed last. */
static inline void ant__ready_unpush(struct ant__ready *ready)
{
    ready->len--;
}

#endif
