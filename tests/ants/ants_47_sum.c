/* ants_47_sum - rows 47 to 49: a thousand tasks add up their numbers, in the default pool and in a
 * plain, a function and a typed pool. */
#include "ants_sum.h"
#include "run_both.h"

ANT_FUNC_POOL_DEFINE(sum_pool, int32_t);

static void by_default(void)
{
    CHECK_INT(ant_pool_release(ant_default_pool()), 0);
    CHECK_INT(ant_pool_reboot(ant_default_pool()), 0);
    ant_waitgroup_add(&left, TASKS);
    for (int32_t i = 0; i < TASKS; i++)
        CHECK_INT(ant_submit_copy(add_by_copy, &i, sizeof i), 0);
    check_sum();
    CHECK_INT(ant_pool_release(ant_default_pool()), 0);
}

static void plain(void)
{
    ant_pool *pool;

    CHECK_INT(ant_pool_new(&pool, 10, NULL), 0);
    ant_waitgroup_add(&left, TASKS);
    for (int32_t i = 0; i < TASKS; i++)
        CHECK_INT(ant_pool_submit_copy(pool, add_by_copy, &i, sizeof i), 0);
    check_sum();
    CHECK_INT(ant_pool_destroy(pool), 0);
}

static void with_func(void)
{
    ant_func_pool *pool;

    CHECK_INT(ant_func_pool_new(&pool, 10, add_by_copy, sizeof(int32_t), NULL), 0);
    ant_waitgroup_add(&left, TASKS);
    for (int32_t i = 0; i < TASKS; i++)
        CHECK_INT(ant_func_pool_invoke(pool, &i), 0);
    check_sum();
    CHECK_INT(ant_func_pool_destroy(pool), 0);
}

static void typed(void)
{
    sum_pool pool;

    CHECK_INT(sum_pool_new(&pool, 10, add, NULL), 0);
    ant_waitgroup_add(&left, TASKS);
    for (int32_t i = 0; i < TASKS; i++)
        CHECK_INT(sum_pool_invoke(&pool, i), 0);
    check_sum();
    CHECK_INT(sum_pool_destroy(&pool), 0);
}

static int run(void *arg)
{
    by_default();
    plain();
    with_func();
    typed();
    return 0;
}

TEST(ants_47_sum)
{
    return run_both(run);
}
