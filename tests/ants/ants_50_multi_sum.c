/* ants_50_multi_sum - rows 50 to 52: as ants_47 for several pools as one. */
#include "ants_sum.h"
#include "run_both.h"

enum { POOLS = 10, EACH = 100 };

ANT_MULTI_FUNC_POOL_DEFINE(sum_pool, int32_t);

static void plain(enum ant_strategy strategy)
{
    ant_multi_pool *pool;

    CHECK_INT(ant_multi_pool_new(&pool, POOLS, EACH, strategy, NULL), 0);
    ant_waitgroup_add(&left, TASKS);
    for (int32_t i = 0; i < TASKS; i++)
        CHECK_INT(ant_multi_pool_submit_copy(pool, add_by_copy, &i, sizeof i), 0);
    check_sum();
    CHECK_INT(ant_multi_pool_release_timeout(pool, ANT_MINUTE), 0);
    CHECK_INT(ant_multi_pool_destroy(pool), 0);
}

static void with_func(enum ant_strategy strategy)
{
    ant_multi_func_pool *pool;

    CHECK_INT(
        ant_multi_func_pool_new(&pool, POOLS, EACH, add_by_copy, sizeof(int32_t), strategy, NULL),
        0);
    ant_waitgroup_add(&left, TASKS);
    for (int32_t i = 0; i < TASKS; i++)
        CHECK_INT(ant_multi_func_pool_invoke(pool, &i), 0);
    check_sum();
    CHECK_INT(ant_multi_func_pool_release_timeout(pool, ANT_MINUTE), 0);
    CHECK_INT(ant_multi_func_pool_destroy(pool), 0);
}

static void typed(enum ant_strategy strategy)
{
    sum_pool pool;

    CHECK_INT(sum_pool_new(&pool, POOLS, EACH, add, strategy, NULL), 0);
    ant_waitgroup_add(&left, TASKS);
    for (int32_t i = 0; i < TASKS; i++)
        CHECK_INT(sum_pool_invoke(&pool, i), 0);
    check_sum();
    CHECK_INT(ant_multi_func_pool_release_timeout(sum_pool_any(&pool), ANT_MINUTE), 0);
    CHECK_INT(sum_pool_destroy(&pool), 0);
}

static int run(void *arg)
{
    const enum ant_strategy strategies[] = {ANT_ROUND_ROBIN, ANT_LEAST_TASKS};

    for (int i = 0; i < 2; i++) {
        plain(strategies[i]);
        with_func(strategies[i]);
        typed(strategies[i]);
    }
    return 0;
}

TEST(ants_50_multi_sum)
{
    return run_both(run);
}
