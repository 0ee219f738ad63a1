/* purge.c - retiring workers that have been idle for too long.
 *
 * One timer for each pool, which is pending only while there is something to look after: an idle
 * worker, or a spare record. When it fires, the pool is put on the list of those that are due. One
 * goroutine, the purger, goes through that list: it retires what has expired, and starts the pool's
 * timer anew, for when the oldest of the rest will expire. When the list is empty it ends, and who
 * finds none makes the next one. So a thousand pools need no goroutine while nothing expires, and
 * one when all do; and an empty pool needs no timer.
 *
 * `purge_on` belongs to whoever sets it: from then on until the purging is over the timer is his.
 * Who lies down in a shard looks, under its lock, whether it is set, and relies on that: so when the
 * purger has something left to look after, it keeps it, and starts the timer for what expires
 * first, or would if it lay down when the purging began. Only if there is nothing left it clears it,
 * and then looks through the shards once more, under their locks: so either it finds a worker or
 * that one finds it cleared. Since it is set from the start of the timer on, a pool is on the list
 * once at most; it may be put there again while it is being purged.
 *
 * The wheel puts the pool on the list before it lets go of its timer, or who destroys the pool could
 * miss it in both places. So the purger first waits for the wheel: were the timer started anew
 * before that, the wheel would then note that it is not pending.
 *
 * Rejected: clearing it first, and looking once. Who lies down in between starts the timer for
 * itself; so those that are to go before it would stay as long as it does, up to a second expiry.
 *
 * Nobody is left behind. The list has a lock of its own, taken under that of a wheel. Under it the
 * purger finds the list empty and says that it is gone; so who adds a pool before that is seen, and
 * who adds one after it makes another purger. A stop of the runtime takes the purger along,
 * wherever it was, and says nothing: therefore not whether there is one is noted, but the run that
 * it belongs to. What pools of former runs are still on the list then are only taken off, by the
 * purger or when they are destroyed.
 *
 * Who destroys a pool has closed it, after which its timer is not started again. It takes the pool
 * off the list, and waits while it is the one that is being purged: that is noted by the purger in
 * the step that takes the pool off the list.
 *
 * When a worker expires. Its stamp is of the coarse clock, which may be a step late: so a step is
 * added to the expiry, and the purger looks at the exact clock, by which its timers fire. (It thus
 * finds what the timer was started for. Were it to look at the coarse one as well, it would come a
 * step too early, and again and again until that step is over.) Where the kernel misses ticks, the
 * coarse clock is later than a step, and a worker goes so much early: exact stamps would make an
 * empty task a quarter dearer, and all that is lost is a record of 128 bytes. The coarse
 * stamps have their good side: what expires in different pools expires together.
 *
 * A retired worker's record is put by as a spare. The spares are freed when for an expiry none was
 * put by: those who went one after the other did not go for want of work as long.
 *
 * Rejected: a goroutine for each pool that is due. A thousand pools that were used together are due
 * together.
 */
#include <stdlib.h>

#include "pool/pool.h"

enum { HANDFUL = 256 }; /* records to be struck off in one go */

/* The pools that are due. */
static struct {
    struct ant__lock lock;
    struct ant__pool *first;
    uint64_t purger_run; /* there is a purger in that run; 0: there is none */
} due;

static bool has_purger(void)
{
    return due.purger_run == atomic_load(&ant__sched.run);
}

static void add_due(struct ant__pool *pool)
{
    pool->next_due = due.first;
    pool->link_due = &due.first;
    if (pool->next_due)
        pool->next_due->link_due = &pool->next_due;
    due.first = pool;
}

static void remove_due(struct ant__pool *pool)
{
    if (!pool->link_due)
        return;
    *pool->link_due = pool->next_due;
    if (pool->next_due)
        pool->next_due->link_due = pool->link_due;
    pool->link_due = NULL;
}

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
        arm(m, pool, ant__time_add(now, pool->patience));
}

/* When the spare records are to be freed; ANT__NEVER if there are none. */
static ant_time spare_due(struct ant__pool *pool)
{
    ant_time when;

    ant__lock(&pool->records_lock);
    when = pool->spare ? ant__time_add(pool->spare_since, pool->patience) : ANT__NEVER;
    ant__unlock(&pool->records_lock);
    return when;
}

static struct ant__m *free_spare(struct ant__m *m, struct ant__pool *pool)
{
    struct ant__worker *list;

    while ((list = ant__workers_take_spare(pool, HANDFUL))) {
        ant__leave(m);
        for (struct ant__worker *w = list, *next; w; w = next) {
            next = w->next;
            free(w);
        }
        m = ant__enter();
    }
    return m;
}

/* Retires, adds to *n how many, and returns when there will be something to do again, or ANT__NEVER.
 * Who lay down meanwhile may have been overlooked, but did so after `begun`. */
static ant_time retire(struct ant__pool *pool, uint64_t *n)
{
    ant_time begun = ant__now_coarse(), cutoff = ant__now() - pool->patience, first = ANT__NEVER;

    for (int i = 0; i < pool->teams_n; i++) {
        ant_time oldest;

        *n += ant__team_expire(&pool->teams[i], cutoff, &oldest);
        if (oldest < first)
            first = oldest;
    }
    if (first == ANT__NEVER && *n == 0)
        return spare_due(pool);
    if (first > begun)
        first = begun; /* also to free the records of those retired */
    return ant__time_add(first, pool->patience);
}

/* Nothing is left to look after. Returns as retire does: when we have to see to it after all. Who was
 * overlooked lay down since the purging began; if another one has started the timer meanwhile, that
 * is later than it should be by no more than the purging took. */
static ant_time let_go(struct ant__pool *pool, uint64_t *n)
{
    ant_time next;

    atomic_store(&pool->purge_on, false);
    next = retire(pool, n);
    return next == ANT__NEVER || atomic_exchange(&pool->purge_on, true) ? ANT__NEVER : next;
}

static struct ant__m *purge(struct ant__m *m, struct ant__pool *pool)
{
    uint64_t n = 0;
    ant_time next;

    ant__timer_disarm(&pool->purge_timer); /* it is over: waits until the wheel has let go of it */
    if (spare_due(pool) <= ant__now())
        m = free_spare(m, pool);
    next = retire(pool, &n);
    if (next == ANT__NEVER)
        next = let_go(pool, &n);
    ant__lock(&pool->lock);
    pool->expired += n;
    if (next != ANT__NEVER && !ant__pool_is_closed(pool))
        arm(m, pool, next);
    else if (next != ANT__NEVER)
        atomic_store(&pool->purge_on, false); /* a closed pool has no idle workers */
    ant__unlock(&pool->lock);
    return m;
}

/* done: the one that was purged, and may be gone from here on. The next one, or NULL: the purger
 * must end. */
static struct ant__pool *next_due(struct ant__pool *done)
{
    struct ant__pool *pool;

    ant__lock(&due.lock);
    if (done)
        done->being_purged = false;
    do {
        pool = due.first;
        if (pool)
            remove_due(pool);
    } while (pool && pool->run != due.purger_run);
    if (pool)
        pool->being_purged = true;
    else
        due.purger_run = 0;
    ant__unlock(&due.lock);
    return pool;
}

static void purger(void *arg)
{
    struct ant__pool *pool = NULL;

    do { /* between two pools others may have their turns */
        struct ant__m *m = ant__enter();

        pool = next_due(pool);
        if (pool)
            m = purge(m, pool);
        ant__leave(m);
    } while (pool);
}

/* Under the wheel's lock. The release of the timer comes after it, so who stops the timer in vain
 * finds the pool on the list. */
static ant_time fire(struct ant__timer *t, struct ant__p *p, struct ant__glist *out)
{
    struct ant__pool *pool = ant__container_of(t, struct ant__pool, purge_timer);
    ant_time again = 0;

    ant__lock(&due.lock);
    if (!has_purger())
        again = ant__timer_go(p, purger, NULL, out);
    if (!again) {
        due.purger_run = atomic_load(&ant__sched.run);
        add_due(pool);
    }
    ant__unlock(&due.lock);
    return again;
}

void ant__purge_init(struct ant__pool *pool)
{
    pool->purge_timer.fire = fire;
    pool->patience = pool->options.disable_purge
                         ? ANT__NEVER
                         : ant__time_add(ant__coarse_step(), pool->options.expiry);
}

void ant__purge_stop(struct ant__m *m, struct ant__pool *pool)
{
    if (ant__load_acquire(&pool->purge_timer.wheel) &&
        ant__timer_stop_inside(m, &pool->purge_timer))
        atomic_store(&pool->purge_on, false);
}

bool ant__purge_forget(struct ant__pool *pool)
{
    struct ant__m *m = ant__enter();
    bool busy;

    ant__lock(&due.lock);
    remove_due(pool);
    busy = pool->being_purged;
    ant__unlock(&due.lock);
    ant__leave_any(m);
    return !busy;
}
