/* life.c - making, tuning, releasing and freeing a pool. */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>

#include "pool/pool.h"

enum { ROOM = 64 }; /* bytes that submit_copy can keep in a worker's record */

/* ---- making ---- */

static int check_options(const ant_pool_options *o, int capacity)
{
    if (o->expiry < 0 && !o->disable_purge)
        return ANT_EPOOLEXPIRY;
    if (o->prealloc && capacity < 0)
        return ANT_EPOOLPREALLOC;
    if (o->min_workers < 0 || o->queue < 0 || o->max_blocking < 0 ||
        (unsigned)o->preempt > ANT_PREEMPT_SIGNAL || (capacity >= 0 && o->min_workers > capacity))
        return -EINVAL;
    return 0;
}

static int check_plan(const struct ant__pool_plan *plan, const ant_pool_options *options)
{
    if (plan->with_fn && !plan->fn)
        return ANT_EPOOLFUNC;
    if (plan->arg_size > ANT_POOL_ARG_MAX)
        return -EINVAL;
    return check_options(options, plan->capacity);
}

static void free_memory(struct ant__pool *pool)
{
    while (pool->all) {
        struct ant__worker *w = pool->all;

        pool->all = w->next_all;
        free(w->copy);
        free(w);
    }
    for (int i = 0; pool->teams && i < pool->teams_n; i++)
        ant__team_free(&pool->teams[i]);
    free(pool->teams);
    free(pool);
}

/* With the lock that a submitter holds while it looks for a worker: so it cannot overlook those that
 * are added, and those in the line get them. A handful at a time, since others need the lock. */
static int warm_up_team(struct ant__m *m, struct ant__team *team)
{
    struct ant__pool *pool = team->pool;
    bool more;
    int err, unserved;

    ant__team_pass(team);
    do {
        ant__lock(&pool->lock);
        err = ant__team_warm_up(team, &more);
        unserved = ant__line_serve_or_tell(m, pool);
        ant__unlock(&pool->lock);
    } while (more && !err);
    return err ? err : unserved;
}

/* Sees to it that each team has its least number of workers, and serves the line. */
static int warm_up(struct ant__pool *pool)
{
    struct ant__m *m = ant__enter();
    int err = 0;

    for (int i = 0; i < pool->teams_n && !err; i++)
        err = warm_up_team(m, &pool->teams[i]);
    ant__leave_any(m);
    return err;
}

static int make_teams(struct ant__pool *pool, int n, int capacity)
{
    int err =
        ant__alloc_aligned((void **)&pool->teams, ANT__CACHE_LINE, (size_t)n * sizeof *pool->teams);

    for (int i = 0; i < n && !err; i++) {
        err = ant__team_init(&pool->teams[i], pool, i, capacity);
        pool->teams_n = i + !err;
    }
    return err ? err : warm_up(pool);
}

static int stack_class(const ant_pool_options *options)
{
    return options->stack_size ? ant__stack_class(options->stack_size) : 0;
}

int ant__pool_new(struct ant__pool **ret_pool, const struct ant__pool_plan *plan)
{
    ant_pool_options options = plan->options ? *plan->options : (ant_pool_options){0};
    size_t turns = plan->teams > 1 ? ANT__POOL_TURNS * sizeof(struct ant__turn) : 0;
    struct ant__pool *pool;
    int err = check_plan(plan, &options);

    if (!err && stack_class(&options) < 0)
        err = -EINVAL;
    if (!err && ant_procs() == 0)
        err = ANT_ENOTRUNNING;
    if (!err)
        err = ant__alloc_aligned((void **)&pool, ANT__CACHE_LINE, sizeof *pool + turns);
    if (err)
        return err;
    pool->options = options;
    if (options.expiry == 0)
        pool->options.expiry = ANT_POOL_EXPIRY;
    pool->fn = plan->fn;
    pool->room = plan->with_fn ? plan->arg_size : ROOM;
    pool->stack_class = stack_class(&options);
    pool->strategy = plan->strategy;
    pool->run = atomic_load(&ant__sched.run);
    pool->queued_end = &pool->queued;
    ant__purge_init(pool);
    err = make_teams(pool, plan->teams, plan->capacity);
    if (err)
        free_memory(pool);
    else
        *ret_pool = pool;
    return err;
}

/* ---- releasing ---- */

/* Retires some of the idle workers that are too many. True: there may be more. */
static bool drop_some(struct ant__pool *pool)
{
    bool more = false;

    for (int i = 0; i < pool->teams_n; i++)
        more |= ant__team_drop_idle(&pool->teams[i]);
    return more;
}

/* There may be very many idle workers, and nobody is to wait for the pool's lock so long: all but
 * the first ones are retired without it. Who becomes idle and has not seen that the pool is closed
 * holds the lock of a shard; when that was taken for the first ones, it has started the timer. */
static int release(struct ant__pool *pool, uint64_t *ret_life)
{
    struct ant__woken woken = {0};
    struct ant__m *m;
    bool more;

    if (!pool)
        return -EINVAL;
    m = ant__enter();
    ant__lock(&pool->lock);
    if (ant__pool_is_closed(pool)) {
        ant__unlock(&pool->lock);
        ant__leave_any(m);
        return ANT_ECLOSED;
    }
    ant__store_release(&pool->state, ANT__POOL_CLOSED);
    *ret_life = pool->lives;
    ant__line_clear(pool, ANT_ECLOSED, &woken);
    more = drop_some(pool);
    ant__purge_stop(m, pool);
    ant__pool_tell_watchers(m, pool);
    ant__unlock(&pool->lock);
    ant__wake_all(m, &woken);
    while (more)
        more = drop_some(pool);
    ant__leave_any(m);
    return 0;
}

int ant__pool_release(struct ant__pool *pool)
{
    uint64_t life;

    return release(pool, &life);
}

int ant__pool_release_ctx(struct ant__pool *pool, ant_ctx *ctx)
{
    uint64_t life;
    int err = release(pool, &life);

    return err ? err : ant__pool_wait(pool, life, ctx);
}

int ant__pool_release_timeout(struct ant__pool *pool, ant_duration timeout)
{
    uint64_t life;
    ant_ctx *ctx;
    int err = release(pool, &life);

    if (err)
        return err;
    if (timeout <= 0)
        return ant__pool_look_settled(pool, life);
    err = ant_ctx_with_timeout(&ctx, NULL, timeout);
    if (err)
        return err;
    err = ant__pool_wait(pool, life, ctx);
    ant_ctx_unref(ctx);
    return err;
}

int ant__pool_reboot(struct ant__pool *pool)
{
    struct ant__m *m;
    bool closed;

    if (!pool)
        return -EINVAL;
    m = ant__enter();
    ant__lock(&pool->lock);
    closed = ant__pool_is_closed(pool);
    while (closed && drop_some(pool))
        continue; /* who released it is still at it: the new life begins without idle workers */
    for (int i = 0; closed && pool->teams_n > 1 && i < ANT__POOL_TURNS; i++) {
        ant__store_relaxed(&pool->turns[i].next, 0);
        ant__store_relaxed(&pool->turns[i].stay, 0);
    }
    ant__store_release(&pool->state, ANT__POOL_OPEN);
    if (closed)
        ant__pool_begin_life(m, pool);
    ant__unlock(&pool->lock);
    ant__leave_any(m);
    return closed ? warm_up(pool) : 0;
}

/* The runtime in which it was made is gone, and with it all goroutines that worked for it. */
static bool is_left_over(const struct ant__pool *pool)
{
    return atomic_load(&ant__sched.life) == ANT__OFF || pool->run != atomic_load(&ant__sched.run);
}

int ant__pool_destroy(struct ant__pool *pool)
{
    int err = 0;

    if (!pool)
        return 0;
    if (!is_left_over(pool)) {
        struct ant__m *m = ant__enter();
        bool own = ant__worker_calls(m, pool);

        ant__leave_any(m);
        if (own)
            return ANT_EDEADLOCK;
        ant__pool_release(pool);
        err = ant__pool_wait(pool, ANT__ANY_LIFE, NULL);
    }
    if (err)
        return err;
    while (!ant__purge_forget(pool) && !is_left_over(pool))
        ant_yield(); /* there is little to do for a pool without workers */
    free_memory(pool);
    return 0;
}

/* ---- tuning ---- */

int ant__pool_tune(struct ant__pool *pool, int capacity)
{
    struct ant__m *m;

    if (!pool || capacity <= 0)
        return -EINVAL;
    if (pool->options.prealloc || ant__load_relaxed(&pool->teams->capacity) < 0)
        return -EOPNOTSUPP;
    m = ant__enter();
    ant__lock(&pool->lock);
    for (int i = 0; i < pool->teams_n; i++)
        ant__store_relaxed(&pool->teams[i].capacity, capacity);
    ant__unlock(&pool->lock);
    while (drop_some(pool))
        continue; /* without the lock, as above */
    ant__leave_any(m);
    return warm_up(pool);
}

/* ---- looking ---- */

static int at_most_int(int64_t n)
{
    return n < INT_MAX ? (int)n : INT_MAX;
}

int ant__pool_running(const struct ant__pool *pool)
{
    int64_t n = 0;

    for (int i = 0; i < pool->teams_n; i++)
        n += ant__load_relaxed(&pool->teams[i].running);
    return at_most_int(n);
}

int ant__team_free_slots(const struct ant__team *team)
{
    int capacity = ant__load_relaxed(&team->capacity);

    return capacity < 0 ? -1 : capacity - ant__load_relaxed(&team->running);
}

int ant__pool_free_slots(const struct ant__pool *pool)
{
    int64_t n = 0;

    if (ant__load_relaxed(&pool->teams->capacity) < 0)
        return -1;
    for (int i = 0; i < pool->teams_n; i++)
        n += ant__team_free_slots(&pool->teams[i]);
    return at_most_int(n);
}

int ant__pool_cap(const struct ant__pool *pool)
{
    int capacity = ant__load_relaxed(&pool->teams->capacity);

    return capacity < 0 ? -1 : at_most_int((int64_t)capacity * pool->teams_n);
}

int ant__pool_waiting(const struct ant__pool *pool)
{
    return ant__load_relaxed(&pool->blocked_n);
}

int ant__pool_stats(struct ant__pool *pool, ant_pool_stats *ret_stats)
{
    struct ant__m *m;
    uint64_t started = 0;
    int idle = 0;

    if (!pool || !ret_stats)
        return -EINVAL;
    for (int i = 0; i < pool->teams_n; i++) {
        idle += ant__team_idle(&pool->teams[i]);
        started += ant__team_started(&pool->teams[i]);
    }
    m = ant__enter();
    ant__lock(&pool->lock);
    *ret_stats = (ant_pool_stats){
        .name = pool->options.name,
        .capacity = ant__pool_cap(pool),
        .running = ant__pool_running(pool),
        .idle = idle,
        .waiting = ant__pool_waiting(pool),
        .queued = pool->queued_n,
        .started = started + pool->handed_over + ant__load_relaxed(&pool->in_place),
        .rejected = pool->rejected,
        .panicked = pool->panicked,
        .expired = pool->expired,
    };
    ant__unlock(&pool->lock);
    ant__leave_any(m);
    if (ret_stats->idle > ret_stats->running) /* some were retired while we looked */
        ret_stats->idle = ret_stats->running;
    ret_stats->busy = ret_stats->running - ret_stats->idle;
    return 0;
}
