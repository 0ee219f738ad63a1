/* pool_basic - a thousand tasks through pools of all kinds and sizes: each runs exactly once, with
 * its own argument; never more at a time than the pool may have workers; and when the pool is
 * destroyed nothing is left. */
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"

enum { TASKS = 1000 };

static atomic_int ran[TASKS], now, most;
static int tasks;

static void enter_and_leave(void)
{
    int n = atomic_fetch_add(&now, 1) + 1, max = atomic_load(&most);

    while (n > max && !atomic_compare_exchange_weak(&most, &max, n))
        continue;
    ant_yield();
    atomic_fetch_sub(&now, 1);
}

static void by_pointer(void *arg)
{
    enter_and_leave();
    atomic_fetch_add((atomic_int *)arg, 1);
}

static void by_copy(void *arg)
{
    enter_and_leave();
    atomic_fetch_add(&ran[*(int *)arg], 1);
}

static void by_value(int i)
{
    by_copy(&i);
}

ANT_FUNC_POOL_DEFINE(int_pool, int);
ANT_MULTI_FUNC_POOL_DEFINE(int_multi_pool, int);

static void check_all(int capacity)
{
    for (int i = 0; i < tasks; i++)
        CHECK_INT(atomic_exchange(&ran[i], 0), 1);
    CHECK(atomic_load(&most) <= capacity);
    atomic_store(&most, 0);
}

static void plain(int size, const ant_pool_options *options)
{
    ant_pool *pool;

    CHECK_INT(ant_pool_new(&pool, size, options), 0);
    for (int i = 0; i < tasks; i++)
        CHECK_INT(i % 2 ? ant_pool_submit(pool, by_pointer, &ran[i])
                        : ant_pool_submit_copy(pool, by_copy, &i, sizeof i),
                  0);
    CHECK_INT(ant_pool_wait(pool), 0);
    CHECK(ant_pool_running(pool) <= size);
    CHECK_INT(ant_pool_destroy(pool), 0);
    check_all(size);
}

static void with_function(int size, const ant_pool_options *options)
{
    ant_func_pool *pool;
    int_pool typed;

    CHECK_INT(ant_func_pool_new(&pool, size, by_copy, sizeof(int), options), 0);
    for (int i = 0; i < tasks; i++)
        CHECK_INT(ant_func_pool_invoke(pool, &i), 0);
    CHECK_INT(ant_func_pool_destroy(pool), 0);
    check_all(size);

    CHECK_INT(int_pool_new(&typed, size, by_value, options), 0);
    for (int i = 0; i < tasks; i++)
        CHECK_INT(int_pool_invoke(&typed, i), 0);
    CHECK_INT(int_pool_destroy(&typed), 0);
    check_all(size);
}

static void several(int size, const ant_pool_options *options, enum ant_strategy strategy)
{
    ant_multi_pool *pool;
    int_multi_pool typed;

    CHECK_INT(ant_multi_pool_new(&pool, 3, size, strategy, options), 0);
    for (int i = 0; i < tasks; i++)
        CHECK_INT(ant_multi_pool_submit_copy(pool, by_copy, &i, sizeof i), 0);
    CHECK_INT(ant_multi_pool_destroy(pool), 0);
    check_all(3 * size);

    CHECK_INT(int_multi_pool_new(&typed, 3, size, by_value, strategy, options), 0);
    for (int i = 0; i < tasks; i++)
        CHECK_INT(int_multi_pool_invoke(&typed, i), 0);
    CHECK_INT(int_multi_pool_destroy(&typed), 0);
    check_all(3 * size);
}

static int run(void *arg)
{
    const int sizes[] = {1, 2, 10, 300, TASKS};

    tasks = test_scale(TASKS);
    for (int i = 0; i < 5; i++) {
        const ant_pool_options kinds[] = {
            {.name = "stack"}, {.prealloc = true}, {.queue = 7}, {.min_workers = 1}};

        for (int k = 0; k < 4; k++) {
            plain(sizes[i], &kinds[k]);
            with_function(sizes[i], &kinds[k]);
            several(sizes[i], &kinds[k], k % 2 ? ANT_ROUND_ROBIN : ANT_LEAST_TASKS);
        }
    }
    while (ant_count() > 1)
        ant_yield();
    return 0;
}

TEST(pool_basic)
{
    return ant_run(run, NULL, NULL);
}
