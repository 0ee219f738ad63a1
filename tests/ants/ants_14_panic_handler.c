/* ants_14_panic_handler - rows 14 and 15: a panic in a task is told to the handler of its pool,
 * once; by then the worker is no longer counted. With and without preallocation. */
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"
#include "run_both.h"

static ant_waitgroup told;
static atomic_int panics;

static void count_panic(const ant_panic_info *info, void *arg)
{
    CHECK_STR(info->message, "Oops!");
    atomic_fetch_add((atomic_int *)arg, 1);
    ant_waitgroup_done(&told);
}

static void panic_with(const char *text)
{
    ant_panic("%s", text);
}

static void panic_now(void *arg)
{
    panic_with(arg);
}

static void panic_by_copy(void *arg)
{
    panic_with(*(const char **)arg);
}

ANT_FUNC_POOL_DEFINE(text_pool, const char *);

static void plain(const ant_pool_options *options, int expected)
{
    ant_pool_stats stats;
    ant_pool *pool;

    CHECK_INT(ant_pool_new(&pool, 10, options), 0);
    ant_waitgroup_add(&told, 1);
    CHECK_INT(ant_pool_submit(pool, panic_now, "Oops!"), 0);
    ant_waitgroup_wait(&told);
    CHECK_INT(atomic_load(&panics), expected);
    CHECK_INT(ant_pool_running(pool), 0);
    CHECK_INT(ant_pool_free(pool), 10);
    CHECK_INT(ant_pool_stats_get(pool, &stats), 0);
    CHECK_INT(stats.panicked, 1);
    CHECK_INT(ant_pool_destroy(pool), 0);
}

static void check_and_destroy(text_pool *pool, int expected)
{
    ant_waitgroup_wait(&told);
    CHECK_INT(atomic_load(&panics), expected);
    CHECK_INT(ant_func_pool_running(text_pool_any(pool)), 0);
    CHECK_INT(ant_func_pool_free(text_pool_any(pool)), 10);
    CHECK_INT(text_pool_destroy(pool), 0);
}

static void with_func(const ant_pool_options *options, int expected)
{
    text_pool pool = {0};

    CHECK_INT(ant_func_pool_new(&pool.pool, 10, panic_by_copy, sizeof(const char *), options), 0);
    ant_waitgroup_add(&told, 1);
    CHECK_INT(ant_func_pool_invoke(pool.pool, &(const char *){"Oops!"}), 0);
    check_and_destroy(&pool, expected);
}

static void typed(const ant_pool_options *options, int expected)
{
    text_pool pool;

    CHECK_INT(text_pool_new(&pool, 10, panic_with, options), 0);
    ant_waitgroup_add(&told, 1);
    CHECK_INT(text_pool_invoke(&pool, "Oops!"), 0);
    check_and_destroy(&pool, expected);
}

static int run(void *arg)
{
    ant_pool_options options = {.panic_handler = count_panic, .panic_arg = &panics};

    atomic_store(&panics, 0);
    plain(&options, 1);
    with_func(&options, 2);
    typed(&options, 3);
    options.prealloc = true;
    plain(&options, 4);
    with_func(&options, 5);
    typed(&options, 6);
    return 0;
}

TEST(ants_14_panic_handler)
{
    return run_both(run);
}
