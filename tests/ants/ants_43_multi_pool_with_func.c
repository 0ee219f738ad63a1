/* ants_43_multi_pool_with_func - rows 43 and 44: as ants_42 for pools with a function, untyped and
 * typed; their tasks wait for a channel, another one in each round. */
#include <anthill.h>

#include "check.h"
#include "run_both.h"

enum { POOLS = 10, EACH = 5, ALL = POOLS * EACH };

static void wait_chan(ant_chan *c)
{
    ant_chan_recv(c, NULL);
}

static void wait_chan_by_copy(void *arg)
{
    wait_chan(*(ant_chan **)arg);
}

ANT_MULTI_FUNC_POOL_DEFINE(chan_pool, ant_chan *);

static int invoke_copy(const chan_pool *pool, ant_chan *c)
{
    return ant_multi_func_pool_invoke(chan_pool_any(pool), &c);
}

static int new_untyped(chan_pool *pool, int n, int each, bool with_fn, enum ant_strategy strategy,
                       const ant_pool_options *options)
{
    return ant_multi_func_pool_new(&pool->pool, n, each, with_fn ? wait_chan_by_copy : NULL,
                                   sizeof(ant_chan *), strategy, options);
}

static int new_typed(chan_pool *pool, int n, int each, bool with_fn, enum ant_strategy strategy,
                     const ant_pool_options *options)
{
    return chan_pool_new(pool, n, each, with_fn ? wait_chan : NULL, strategy, options);
}

struct kind {
    int (*new)(chan_pool *, int, int, bool, enum ant_strategy, const ant_pool_options *);
    int (*invoke)(const chan_pool *, ant_chan *);
};

static void bad_arguments(const struct kind *kind)
{
    const ant_pool_options bad = {.expiry = -1};
    const enum ant_strategy none = (enum ant_strategy)8;
    chan_pool pool;

    CHECK_INT(kind->new (&pool, -1, 10, true, none, NULL), ANT_EMULTISIZE);
    CHECK_INT(kind->new (&pool, 10, -1, true, none, NULL), ANT_ESTRATEGY);
    CHECK_INT(kind->new (&pool, 10, 10, true, ANT_ROUND_ROBIN, &bad), ANT_EPOOLEXPIRY);
    CHECK_INT(kind->new (&pool, 10, 10, false, ANT_ROUND_ROBIN, &bad), ANT_EPOOLFUNC);
}

static void check_one(ant_multi_func_pool *pool, int index, int running)
{
    int n;

    CHECK_INT(ant_multi_func_pool_waiting_by_index(pool, index, &n), 0);
    CHECK_INT(n, 0);
    CHECK_INT(ant_multi_func_pool_running_by_index(pool, index, &n), 0);
    CHECK_INT(n, running);
    CHECK_INT(ant_multi_func_pool_free_by_index(pool, index, &n), 0);
    CHECK_INT(n, EACH - running);
}

static void check_bad_index(ant_multi_func_pool *pool, int index)
{
    int waiting = 0, running = 0, free = 0;

    CHECK_INT(ant_multi_func_pool_waiting_by_index(pool, index, &waiting), ANT_EPOOLINDEX);
    CHECK_INT(ant_multi_func_pool_running_by_index(pool, index, &running), ANT_EPOOLINDEX);
    CHECK_INT(ant_multi_func_pool_free_by_index(pool, index, &free), ANT_EPOOLINDEX);
    CHECK_INT(waiting, -1);
    CHECK_INT(running, -1);
    CHECK_INT(free, -1);
}

static void fill(const chan_pool *pool, const struct kind *kind, ant_chan *gate)
{
    for (int i = 0; i < ALL; i++) {
        CHECK_INT(kind->invoke(pool, gate), 0);
        if (i == 0)
            check_one(chan_pool_any(pool), 0, 1);
    }
}

static void check_full(const chan_pool *typed, ant_chan *gate)
{
    ant_multi_func_pool *pool = chan_pool_any(typed);

    CHECK_INT(ant_multi_func_pool_waiting(pool), 0);
    CHECK_INT(ant_multi_func_pool_running(pool), ALL);
    CHECK_INT(ant_multi_func_pool_free(pool), 0);
    CHECK_INT(ant_multi_func_pool_cap(pool), ALL);
    CHECK(!ant_multi_func_pool_is_closed(pool));
    for (int i = 0; i < POOLS; i++)
        check_one(pool, i, EACH);
    CHECK_INT(chan_pool_try_invoke(typed, gate), ANT_EOVERLOAD);
}

static void close_all(const chan_pool *typed, const struct kind *kind)
{
    ant_multi_func_pool *pool = chan_pool_any(typed);

    CHECK_INT(ant_multi_func_pool_release_timeout(pool, ANT_MINUTE), 0);
    CHECK_INT(ant_multi_func_pool_release_timeout(pool, ANT_MINUTE), ANT_ECLOSED);
    CHECK_INT(ant_multi_func_pool_release(pool), ANT_ECLOSED);
    CHECK_INT(ant_multi_func_pool_invoke(pool, NULL), ANT_ECLOSED);
    CHECK_INT(kind->invoke(typed, NULL), ANT_ECLOSED);
    CHECK_INT(ant_multi_func_pool_running(pool), 0);
    CHECK(ant_multi_func_pool_is_closed(pool));
}

static void round_trip(const chan_pool *pool, const struct kind *kind)
{
    ant_chan *gate;

    CHECK_INT(ant_chan_new(&gate, 0, 0), 0);
    check_bad_index(chan_pool_any(pool), -1);
    check_bad_index(chan_pool_any(pool), POOLS);
    check_bad_index(chan_pool_any(pool), POOLS + 1);
    fill(pool, kind, gate);
    check_full(pool, gate);
    ant_chan_close(gate);
    close_all(pool, kind);
    CHECK_INT(ant_chan_destroy(gate), 0);
}

static void both_rounds(const struct kind *kind, enum ant_strategy strategy)
{
    chan_pool pool = {0};

    CHECK_INT(kind->new (&pool, POOLS, EACH, true, strategy, NULL), 0);
    round_trip(&pool, kind);
    CHECK_INT(ant_multi_func_pool_reboot(pool.pool), 0);
    round_trip(&pool, kind);
    CHECK_INT(ant_multi_func_pool_tune(pool.pool, 2 * EACH), 0);
    CHECK_INT(ant_multi_func_pool_cap(pool.pool), 2 * ALL);
    CHECK_INT(chan_pool_destroy(&pool), 0);
}

static int run(void *arg)
{
    const struct kind kinds[] = {{new_untyped, invoke_copy}, {new_typed, chan_pool_invoke}};

    for (int i = 0; i < 2; i++) {
        bad_arguments(&kinds[i]);
        both_rounds(&kinds[i], ANT_ROUND_ROBIN);
        both_rounds(&kinds[i], ANT_LEAST_TASKS);
    }
    return 0;
}

TEST(ants_43_multi_pool_with_func)
{
    return run_both(run);
}
