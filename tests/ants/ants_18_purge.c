/* ants_18_purge - rows 18 and 19: a full pool has all its workers while their tasks wait, and none
 * when these have ended and the time of expiry is over. With and without preallocation. */
#include <anthill.h>

#include "check.h"
#include "run_both.h"

static ant_chan *gate;

static void pass_gate(int k)
{
    ant_chan_recv(gate, NULL);
    ant_sleep(k % 100 * ANT_MILLISECOND / 4);
}

static void pass_gate_now(void *arg)
{
    pass_gate((int)(intptr_t)arg);
}

static void pass_gate_by_copy(void *arg)
{
    pass_gate(*(int *)arg);
}

ANT_FUNC_POOL_DEFINE(gate_pool, int);

static int invoke_copy(const gate_pool *pool, int k)
{
    return ant_func_pool_invoke(gate_pool_any(pool), &k);
}

static void plain(int size, const ant_pool_options *options)
{
    ant_pool *pool;

    CHECK_INT(ant_chan_new(&gate, 0, 0), 0);
    CHECK_INT(ant_pool_new(&pool, size, options), 0);
    for (int i = 0; i < size; i++)
        CHECK_INT(ant_pool_submit(pool, pass_gate_now, (void *)(intptr_t)(i + 1)), 0);
    CHECK_INT(ant_pool_running(pool), size);
    ant_chan_close(gate);
    while (ant_pool_running(pool) > 0)
        ant_sleep(ANT_MILLISECOND);
    CHECK_INT(ant_pool_destroy(pool), 0);
    CHECK_INT(ant_chan_destroy(gate), 0);
}

static void use_and_destroy(gate_pool *pool, int size, int (*invoke)(const gate_pool *, int))
{
    ant_pool_stats stats;

    CHECK_INT(ant_chan_new(&gate, 0, 0), 0);
    for (int i = 0; i < size; i++)
        CHECK_INT(invoke(pool, i), 0);
    CHECK_INT(ant_func_pool_running(gate_pool_any(pool)), size);
    ant_chan_close(gate);
    do { /* they are counted after they have gone */
        ant_sleep(ANT_MILLISECOND);
        CHECK_INT(ant_func_pool_stats_get(gate_pool_any(pool), &stats), 0);
    } while (stats.expired < (uint64_t)size);
    CHECK_INT(stats.expired, size);
    CHECK_INT(ant_func_pool_running(gate_pool_any(pool)), 0);
    CHECK_INT(gate_pool_destroy(pool), 0);
    CHECK_INT(ant_chan_destroy(gate), 0);
}

static void with_func(int size, const ant_pool_options *options)
{
    gate_pool pool = {0};

    CHECK_INT(ant_func_pool_new(&pool.pool, size, pass_gate_by_copy, sizeof(int), options), 0);
    use_and_destroy(&pool, size, invoke_copy);
}

static void typed(int size, const ant_pool_options *options)
{
    gate_pool pool;

    CHECK_INT(gate_pool_new(&pool, size, pass_gate, options), 0);
    use_and_destroy(&pool, size, gate_pool_invoke);
}

static int run(void *arg)
{
    ant_pool_options options = {.expiry = 50 * ANT_MILLISECOND};
    int many = test_scale(500);

    plain(many, &options);
    with_func(many, &options);
    typed(many, &options);
    options.prealloc = true;
    plain(10, &options);
    with_func(10, &options);
    typed(10, &options);
    return 0;
}

TEST(ants_18_purge)
{
    return run_both(run);
}
