/* pool_min_workers - so many workers are there from the beginning, also of each of several pools
 * and after the pool was opened again; they do not expire when all others do; without a least
 * number all do; and none does if purging is disabled. */
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"

static ant_pool *pool;
static atomic_int arrived;

/* All five at a time. */
static void meet(void *arg)
{
    int want = (int)(intptr_t)arg;

    atomic_fetch_add(&arrived, 1);
    while (atomic_load(&arrived) < want)
        ant_yield();
}

static void burst(void)
{
    atomic_store(&arrived, 0);
    for (int i = 0; i < 5; i++)
        CHECK_INT(ant_pool_submit(pool, meet, (void *)(intptr_t)5), 0);
    CHECK_INT(ant_pool_wait(pool), 0);
}

/* When the pool has shrunk it must stay so. */
static void shrinks(ant_pool_options options)
{
    ant_pool_stats stats;

    options.expiry = ANT_MILLISECOND;
    CHECK_INT(ant_pool_new(&pool, 5, &options), 0);
    CHECK_INT(ant_pool_running(pool), options.min_workers);
    for (int i = 0; i < 3; i++) {
        burst();
        while (ant_pool_running(pool) > options.min_workers)
            ant_sleep(100 * ANT_MICROSECOND);
        ant_sleep(3 * ANT_MILLISECOND);
        CHECK_INT(ant_pool_running(pool), options.min_workers);
    }
    CHECK_INT(ant_pool_stats_get(pool, &stats), 0);
    CHECK_INT(stats.expired, 3 * (5 - options.min_workers));
    CHECK_INT(stats.idle, options.min_workers);
    CHECK_INT(ant_pool_release(pool), 0);
    CHECK_INT(ant_pool_running(pool), 0);
    CHECK_INT(ant_pool_reboot(pool), 0);
    CHECK_INT(ant_pool_running(pool), options.min_workers);
    CHECK_INT(ant_pool_destroy(pool), 0);
}

static void does_not_shrink(ant_pool_options options)
{
    options.disable_purge = true;
    CHECK_INT(ant_pool_new(&pool, 5, &options), 0);
    burst();
    ant_sleep(3 * ANT_MILLISECOND);
    CHECK_INT(ant_pool_running(pool), 5);
    CHECK_INT(ant_pool_destroy(pool), 0);
}

static void panic(void *arg)
{
    ant_panic("as it should");
}

static void leave(void *arg)
{
    ant_exit();
}

static void ignore(const ant_panic_info *info, void *arg)
{
}

static void are_replaced(void)
{
    CHECK_INT(
        ant_pool_new(&pool, 5, &(ant_pool_options){.min_workers = 3, .panic_handler = ignore}), 0);
    for (int i = 0; i < 10; i++) {
        CHECK_INT(ant_pool_submit(pool, i % 2 ? panic : leave, NULL), 0);
        CHECK_INT(ant_pool_wait(pool), 0);
        CHECK(ant_pool_running(pool) >= 3);
    }
    CHECK_INT(ant_pool_tune(pool, 1), 0);
    CHECK_INT(ant_pool_running(pool), 1);
    CHECK_INT(ant_pool_tune(pool, 2), 0);
    CHECK_INT(ant_pool_running(pool), 2);
    CHECK_INT(ant_pool_tune(pool, 9), 0);
    CHECK_INT(ant_pool_running(pool), 3);
    CHECK_INT(ant_pool_release(pool), 0);
    CHECK_INT(ant_pool_tune(pool, 20), 0);
    CHECK_INT(ant_pool_running(pool), 0);
    CHECK_INT(ant_pool_destroy(pool), 0);
}

static void several(void)
{
    ant_multi_pool *multi;
    int n;

    CHECK_INT(
        ant_multi_pool_new(&multi, 3, 4, ANT_ROUND_ROBIN, &(ant_pool_options){.min_workers = 2}),
        0);
    CHECK_INT(ant_multi_pool_running(multi), 6);
    CHECK_INT(ant_multi_pool_running_by_index(multi, 2, &n), 0);
    CHECK_INT(n, 2);
    CHECK_INT(ant_multi_pool_free(multi), 6);
    CHECK_INT(ant_multi_pool_destroy(multi), 0);
}

static int run(void *arg)
{
    for (int prealloc = 0; prealloc < 2; prealloc++) {
        for (int n = 0; n < 5; n += 2)
            shrinks((ant_pool_options){.min_workers = n, .prealloc = prealloc});
        does_not_shrink((ant_pool_options){.expiry = 1, .prealloc = prealloc});
        does_not_shrink((ant_pool_options){.expiry = -1, .prealloc = prealloc});
    }
    several();
    are_replaced();
    return 0;
}

TEST(pool_min_workers)
{
    return ant_run(run, NULL, NULL);
}
