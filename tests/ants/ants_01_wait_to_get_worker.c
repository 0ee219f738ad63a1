/* ants_01_wait_to_get_worker - rows 1 to 6: ten times as many sleeping tasks as a pool has workers,
 * so that submitters wait for workers again and again. All tasks run, in plain, function and typed
 * pools, with and without preallocation. */
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"
#include "run_both.h"

static ant_waitgroup left;
static atomic_int ran;

static void nap(int ms)
{
    ant_sleep(ms * ANT_MILLISECOND);
    atomic_fetch_add(&ran, 1);
    ant_waitgroup_done(&left);
}

static void nap_ten(void *arg)
{
    nap(10);
}

static void nap_by_copy(void *arg)
{
    nap(*(int *)arg);
}

ANT_FUNC_POOL_DEFINE(nap_pool, int);

static void wait_for_all(int tasks)
{
    ant_waitgroup_wait(&left);
    CHECK_INT(atomic_exchange(&ran, 0), tasks);
}

static void plain(int workers, int tasks, const ant_pool_options *options)
{
    ant_pool *pool;

    CHECK_INT(ant_pool_new(&pool, workers, options), 0);
    ant_waitgroup_add(&left, tasks);
    for (int i = 0; i < tasks; i++)
        CHECK_INT(ant_pool_submit(pool, nap_ten, NULL), 0);
    wait_for_all(tasks);
    CHECK(ant_pool_running(pool) <= workers);
    CHECK_INT(ant_pool_destroy(pool), 0);
}

static void with_func(int workers, int tasks, const ant_pool_options *options)
{
    ant_func_pool *pool;

    CHECK_INT(ant_func_pool_new(&pool, workers, nap_by_copy, sizeof(int), options), 0);
    ant_waitgroup_add(&left, tasks);
    for (int i = 0; i < tasks; i++)
        CHECK_INT(ant_func_pool_invoke(pool, &(int){10}), 0);
    wait_for_all(tasks);
    CHECK(ant_func_pool_running(pool) <= workers);
    CHECK_INT(ant_func_pool_destroy(pool), 0);
}

static void typed(int workers, int tasks, const ant_pool_options *options)
{
    nap_pool pool;

    CHECK_INT(nap_pool_new(&pool, workers, nap, options), 0);
    ant_waitgroup_add(&left, tasks);
    for (int i = 0; i < tasks; i++)
        CHECK_INT(nap_pool_invoke(&pool, 10), 0);
    wait_for_all(tasks);
    CHECK(ant_func_pool_running(nap_pool_any(&pool)) <= workers);
    CHECK_INT(nap_pool_destroy(&pool), 0);
}

static int run(void *arg)
{
    const ant_pool_options kinds[] = {{.prealloc = false}, {.prealloc = true}};
    int workers = test_scale(1000), tasks = 10 * workers;

    for (int i = 0; i < 2; i++) {
        plain(workers, tasks, &kinds[i]);
        with_func(workers, tasks, &kinds[i]);
        typed(workers, tasks, &kinds[i]);
    }
    return 0;
}

TEST(ants_01_wait_to_get_worker)
{
    return run_both(run);
}
