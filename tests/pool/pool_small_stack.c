/* pool_small_stack - tasks that run on the smallest stacks can sleep, yield, submit with large
 * arguments and wait for a worker, thousands of them; in pools of all kinds. */
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"

static ant_pool *pool;
static atomic_int ran;
static char large[300];

static void count(void *arg)
{
    atomic_fetch_add(&ran, 1);
}

static void sleep_a_little(void *arg)
{
    ant_sleep(ANT_MICROSECOND);
    ant_yield();
    atomic_fetch_add(&ran, 1);
}

static void submit_more(void *arg)
{
    if (ant_pool_submit_copy(pool, count, large, sizeof large) != 0)
        atomic_fetch_add(&ran, 1);
}

static void play(int size, ant_pool_options options)
{
    int n = test_scale(2000);

    options.stack_size = 2048;
    atomic_store(&ran, 0);
    CHECK_INT(ant_pool_new(&pool, size, &options), 0);
    for (int i = 0; i < n; i++) {
        CHECK_INT(ant_pool_submit(pool, sleep_a_little, NULL), 0);
        CHECK_INT(ant_pool_submit(pool, submit_more, NULL), 0);
    }
    CHECK_INT(ant_pool_wait(pool), 0);
    CHECK_INT(atomic_load(&ran), 2 * n);
    CHECK_INT(ant_pool_destroy(pool), 0);
}

/* ---- other kinds ---- */

static ant_func_pool *func;
static ant_multi_pool *multi;
static ant_multi_func_pool *multi_func;

static void sleep_or_invoke(void *arg)
{
    char sleep[sizeof large] = "s";

    if (*(char *)arg == 's')
        sleep_a_little(NULL);
    else if (ant_func_pool_invoke(func, sleep) != 0)
        atomic_fetch_add(&ran, 1);
}

static void play_func(int size, ant_pool_options options)
{
    int n = test_scale(2000);

    options.stack_size = 2048;
    atomic_store(&ran, 0);
    CHECK_INT(ant_func_pool_new(&func, size, sleep_or_invoke, sizeof large, &options), 0);
    for (int i = 0; i < n; i++)
        CHECK_INT(ant_func_pool_invoke(func, large), 0);
    CHECK_INT(ant_func_pool_wait(func), 0);
    CHECK_INT(atomic_load(&ran), n);
    CHECK_INT(ant_func_pool_destroy(func), 0);
}

static void submit_more_to_multi(void *arg)
{
    if (ant_multi_pool_submit_copy(multi, count, large, sizeof large) != 0)
        atomic_fetch_add(&ran, 1);
}

static void play_multi(int size, enum ant_strategy strategy)
{
    const ant_pool_options options = {.stack_size = 2048};
    int n = test_scale(2000);

    atomic_store(&ran, 0);
    CHECK_INT(ant_multi_pool_new(&multi, 3, size, strategy, &options), 0);
    CHECK_INT(ant_multi_func_pool_new(&multi_func, 3, size, sleep_a_little, 4, strategy, &options),
              0);
    for (int i = 0; i < n; i++) {
        CHECK_INT(ant_multi_pool_submit(multi, submit_more_to_multi, NULL), 0);
        CHECK_INT(ant_multi_func_pool_invoke(multi_func, large), 0);
    }
    CHECK_INT(ant_multi_pool_wait(multi), 0);
    CHECK_INT(ant_multi_func_pool_wait(multi_func), 0);
    CHECK_INT(atomic_load(&ran), 2 * n);
    CHECK_INT(ant_multi_pool_destroy(multi), 0);
    CHECK_INT(ant_multi_func_pool_destroy(multi_func), 0);
}

static int run(void *arg)
{
    play_func(3, (ant_pool_options){0});
    play_func(10, (ant_pool_options){.queue = 20, .prealloc = true});
    play_multi(1, ANT_ROUND_ROBIN);
    play_multi(30, ANT_LEAST_TASKS);
    play(3, (ant_pool_options){0});
    play(100, (ant_pool_options){.prealloc = true});
    play(0, (ant_pool_options){.expiry = ANT_MICROSECOND});
    play(10, (ant_pool_options){.queue = 20});
    return 0;
}

TEST(pool_small_stack)
{
    return ant_run(run, NULL, NULL);
}
