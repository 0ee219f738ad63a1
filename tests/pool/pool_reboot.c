/* pool_reboot - a pool that was released and opened again is as it was made: it takes tasks, while
 * those of its former life still run and count; it has its least number of workers; idle ones
 * expire. After a release without waiting, and after one with. */
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"

static ant_pool *pool;
static atomic_bool gate;
static atomic_int ran;

static void wait_at_gate(void *arg)
{
    while (!atomic_load(&gate))
        ant_sleep(ANT_MICROSECOND);
    atomic_fetch_add(&ran, 1);
}

static void begin(int size, const ant_pool_options *options)
{
    atomic_store(&gate, false);
    atomic_store(&ran, 0);
    CHECK_INT(ant_pool_new(&pool, size, options), 0);
}

static void busy_reboot(const ant_pool_options *options)
{
    begin(2, options);
    CHECK_INT(ant_pool_submit(pool, wait_at_gate, NULL), 0);
    CHECK_INT(ant_pool_submit(pool, wait_at_gate, NULL), 0);
    CHECK_INT(ant_pool_release(pool), 0);
    CHECK_INT(ant_pool_submit(pool, wait_at_gate, NULL), ANT_ECLOSED);
    CHECK_INT(ant_pool_reboot(pool), 0);
    CHECK_INT(ant_pool_reboot(pool), 0);
    CHECK_INT(ant_pool_running(pool), 2);
    CHECK_INT(ant_pool_try_submit(pool, wait_at_gate, NULL), ANT_EOVERLOAD);
    atomic_store(&gate, true);
    for (int i = 0; i < 5; i++)
        CHECK_INT(ant_pool_submit(pool, wait_at_gate, NULL), 0);
    CHECK_INT(ant_pool_release_timeout(pool, ANT_HOUR), 0);
    CHECK_INT(atomic_load(&ran), 7);
    CHECK_INT(ant_pool_running(pool), 0);
    CHECK_INT(ant_pool_reboot(pool), 0);
    CHECK_INT(ant_pool_running(pool), options->min_workers);
    CHECK_INT(ant_pool_destroy(pool), 0);
}

/* After each life the idle ones must expire, without a call from anybody. */
static void expires(int lives, ant_pool_options options)
{
    options.expiry = ANT_MILLISECOND;
    begin(3, &options);
    atomic_store(&gate, true);
    for (int i = 0; i < lives; i++) {
        for (int k = 0; k < 3; k++)
            CHECK_INT(ant_pool_submit(pool, wait_at_gate, NULL), 0);
        if (i % 2) {
            while (ant_pool_running(pool) > options.min_workers)
                ant_sleep(100 * ANT_MICROSECOND);
        }
        CHECK_INT(ant_pool_release(pool), 0);
        CHECK_INT(ant_pool_reboot(pool), 0);
        CHECK(ant_pool_running(pool) >= options.min_workers);
    }
    CHECK_INT(ant_pool_submit(pool, wait_at_gate, NULL), 0);
    while (ant_pool_running(pool) > options.min_workers)
        ant_sleep(100 * ANT_MICROSECOND);
    CHECK_INT(ant_pool_destroy(pool), 0);
    CHECK_INT(atomic_load(&ran), 3 * lives + 1);
}

static int run(void *arg)
{
    for (int i = 0; i < test_scale(50); i++) {
        busy_reboot(&(ant_pool_options){0});
        busy_reboot(&(ant_pool_options){.prealloc = true});
        busy_reboot(&(ant_pool_options){.min_workers = 1});
        busy_reboot(&(ant_pool_options){.min_workers = 2, .prealloc = true});
    }
    expires(test_scale(40), (ant_pool_options){0});
    expires(test_scale(40), (ant_pool_options){.prealloc = true});
    expires(test_scale(40), (ant_pool_options){.min_workers = 2});
    return 0;
}

TEST(pool_reboot)
{
    return ant_run(run, NULL, NULL);
}
