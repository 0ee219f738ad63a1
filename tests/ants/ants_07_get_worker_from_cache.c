/* ants_07_get_worker_from_cache - rows 7 to 11: after all workers of a pool were retired for being
 * idle, it makes new ones, from what the old ones left behind, as often as one likes. */
#include "ants_nap.h"
#include "check.h"
#include "run_both.h"

enum { WORKERS = 10000, TASKS = 1000, ROUNDS = 3 };

static void plain_round(ant_pool *pool, int tasks)
{
    for (int i = 0; i < tasks; i++)
        CHECK_INT(ant_pool_submit(pool, nap_ten, NULL), 0);
    while (ant_pool_running(pool) > 0)
        ant_sleep(ANT_MILLISECOND);
    CHECK_INT(atomic_exchange(&ran, 0), tasks);
}

static void plain(const ant_pool_options *options)
{
    ant_pool *pool;

    CHECK_INT(ant_pool_new(&pool, WORKERS, options), 0);
    for (int i = 0; i < ROUNDS; i++)
        plain_round(pool, i % 2 ? 1 : test_scale(TASKS));
    CHECK_INT(ant_pool_submit(pool, nap_ten, NULL), 0);
    CHECK_INT(ant_pool_destroy(pool), 0);
    CHECK_INT(atomic_exchange(&ran, 0), 1);
}

static void func_round(nap_pool *pool, int tasks, int (*invoke)(const nap_pool *, int))
{
    for (int i = 0; i < tasks; i++)
        CHECK_INT(invoke(pool, 10), 0);
    while (ant_func_pool_running(nap_pool_any(pool)) > 0)
        ant_sleep(ANT_MILLISECOND);
    CHECK_INT(atomic_exchange(&ran, 0), tasks);
}

static void use_and_destroy(nap_pool *pool, int (*invoke)(const nap_pool *, int))
{
    for (int i = 0; i < ROUNDS; i++)
        func_round(pool, i % 2 ? 1 : test_scale(TASKS), invoke);
    CHECK_INT(invoke(pool, 10), 0);
    CHECK_INT(nap_pool_destroy(pool), 0);
    CHECK_INT(atomic_exchange(&ran, 0), 1);
}

static void with_func(const ant_pool_options *options)
{
    nap_pool pool = {0};

    CHECK_INT(ant_func_pool_new(&pool.pool, WORKERS, nap_by_copy, sizeof(int), options), 0);
    use_and_destroy(&pool, invoke_copy);
}

static void typed(const ant_pool_options *options)
{
    nap_pool pool;

    CHECK_INT(nap_pool_new(&pool, WORKERS, nap, options), 0);
    use_and_destroy(&pool, nap_pool_invoke);
}

static int run(void *arg)
{
    ant_pool_options options = {.expiry = 10 * ANT_MILLISECOND};

    plain(&options);
    with_func(&options);
    typed(&options);
    options.prealloc = true;
    with_func(&options);
    typed(&options);
    return 0;
}

TEST(ants_07_get_worker_from_cache)
{
    return run_both(run);
}
