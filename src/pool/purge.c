/* purge.c - retiring workers that have been idle for too long.
 *
 * One timer for each pool, which is pending only while there is something to look after: an idle
 * worker, or a spare record. When it fires, a goroutine is started that retires what has expired
 * and starts the timer anew, for when the oldest of the rest will expire. So a thousand pools need
 * no goroutine while nothing expires, and an empty pool needs no timer.
 *
 * `purge_on` belongs to whoever sets it: from then on until the purging is over the timer is his.
 * Purging clears it, and then looks through the shards, under their locks, for what is left; who
 * lies down in a shard looks, under the same lock, whether it is set. So one of the two sees to it
 * that a worker is looked after. (So another purging may begin before one has ended: they do not
 * mind one another.)
 *
 * A retired worker's record is put by as a spare, and freed by the next purging but one unless it
 * was needed again.
 */
#include <stdlib.h>

#include "pool/pool.h"

enum { HANDFUL = 256 }; /* records to be struck off in one go */

static void arm(struct ant__m *m, struct ant__pool *pool, ant_time when)
{
    if (ant__timer_arm(m->p, &pool->purge_timer, when))
        ant__timer_armed(when);
}

void ant__purge_expect(struct ant__m *m, struct ant__pool *pool, ant_time now)
{
    if (ant__likely(ant__load_relaxed(&pool->purge_on)) || pool->options.disable_purge)
        return;
    if (!m)
        return; /* a thread gave it back unused: the next worker will see to it */
    if (!atomic_exchange(&pool->purge_on, true))
        arm(m, pool, ant__time_add(now, pool->options.expiry));
}

/* Frees the records that the last purging, or anything since, left over. */
static void free_spare(struct ant__pool *pool)
{
    struct ant__worker *list;

    do {
        struct ant__m *m = ant__enter();

        list = ant__workers_take_spare(pool, HANDFUL);
        ant__leave(m);
        for (struct ant__worker *w = list, *next; w; w = next) {
            next = w->next;
            free(w);
        }
    } while (list);
}

/* Retires, and returns when there will be something to do again, or ANT__NEVER. */
static ant_time retire(struct ant__pool *pool, uint64_t *ret_n)
{
    ant_time now = ant__now_coarse(), first = ANT__NEVER;
    uint64_t n = 0;

    for (int i = 0; i < pool->teams_n; i++) {
        ant_time oldest;

        n += ant__team_expire(&pool->teams[i], now - pool->options.expiry, &oldest);
        if (oldest < first)
            first = oldest;
    }
    *ret_n = n;
    if (n > 0 && now < first)
        first = now; /* to free their records */
    return first == ANT__NEVER ? first : ant__time_add(first, pool->options.expiry);
}

static void purge(void *arg)
{
    struct ant__pool *pool = arg;
    struct ant__m *m;
    ant_time next;
    uint64_t n;

    free_spare(pool);
    atomic_store(&pool->purge_on, false);
    m = ant__enter();
    next = retire(pool, &n);
    ant__lock(&pool->lock);
    pool->expired += n;
    if (next != ANT__NEVER && !ant__pool_is_closed(pool) && !atomic_exchange(&pool->purge_on, true))
        arm(m, pool, next);
    ant__unlock(&pool->lock);
    atomic_fetch_sub(&pool->purging, 1); /* from here on the pool may be gone */
    ant__leave(m);
}

/* Under the wheel's lock. The release of the timer comes after it, so who stops the timer in vain
 * sees `purging`. */
static ant_time fire(struct ant__timer *t, struct ant__p *p, struct ant__glist *out)
{
    struct ant__pool *pool = ant__container_of(t, struct ant__pool, purge_timer);
    ant_time again = ant__timer_go(p, purge, pool, out);

    if (!again)
        atomic_fetch_add(&pool->purging, 1);
    return again;
}

void ant__purge_init(struct ant__pool *pool)
{
    pool->purge_timer.fire = fire;
}

void ant__purge_stop(struct ant__m *m, struct ant__pool *pool)
{
    if (ant__load_acquire(&pool->purge_timer.wheel) &&
        ant__timer_stop_inside(m, &pool->purge_timer))
        atomic_store(&pool->purge_on, false);
}
