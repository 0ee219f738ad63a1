/* pool_many_idle - a pool with very many idle workers, in stacks or in a ring, is released, or tuned
 * down to one: others that call meanwhile are answered while that goes on, not when it is over. */
#include <pthread.h>
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"

static ant_pool *pool;
static int n;
static atomic_bool watching, over;
static atomic_int seen;

static void nothing(void *arg)
{
}

/* Who asks for the statistics gets the pool's lock, so it sees how far it has got only if nobody
 * holds that all the time. */
static void *watch(void *arg)
{
    ant_pool_stats stats;

    atomic_store(&watching, true);
    while (!atomic_load(&over)) {
        CHECK_INT(ant_pool_stats_get(pool, &stats), 0);
        if (stats.running > 1 && stats.running < n)
            atomic_fetch_add(&seen, 1);
        if (ant_pool_is_closed(pool))
            CHECK_INT(ant_pool_try_submit(pool, nothing, NULL), ANT_ECLOSED);
    }
    return NULL;
}

static void play(bool release, bool prealloc)
{
    pthread_t thread;

    atomic_store(&watching, false);
    atomic_store(&over, false);
    CHECK_INT(ant_pool_new(&pool, n, &(ant_pool_options){.min_workers = n, .prealloc = prealloc}),
              0);
    CHECK_INT(ant_pool_running(pool), n);
    CHECK_INT(pthread_create(&thread, NULL, watch, NULL), 0);
    while (!atomic_load(&watching))
        ant_yield();
    CHECK_INT(release ? ant_pool_release(pool) : ant_pool_tune(pool, 1), 0);
    CHECK_INT(ant_pool_running(pool), release ? 0 : 1);
    atomic_store(&over, true);
    CHECK_INT(pthread_join(thread, NULL), 0);
    CHECK_INT(ant_pool_destroy(pool), 0);
}

/* Until it was seen: the machine may have had no time for the watcher. */
static void seen_at_work(bool release, bool prealloc)
{
    double end = test_now() + 20;

    atomic_store(&seen, 0);
    do {
        CHECK(test_now() < end);
        play(release, prealloc);
    } while (atomic_load(&seen) == 0);
}

static int run(void *arg)
{
    n = test_scale(50000);
    if (n < 5000)
        n = 5000;
    seen_at_work(true, false);
    seen_at_work(true, true);
    seen_at_work(false, false);
    return 0;
}

TEST(pool_many_idle)
{
    return ant_run(run, NULL, NULL);
}
