/* pool_purge_race - workers expire all the time while tasks come in bursts: no task is lost, run
 * twice or kept waiting, the limit holds, and when no more come all workers but the least number
 * are retired, though nobody calls the pool any more. Stack and ring, which wraps around here. */
#include <anthill.h>

#include "hand_clock.h"

enum { SIZE = 5 };

static ant_pool *pool;
static atomic_int active;
static atomic_long ran;

static void task(void *arg)
{
    int n = atomic_fetch_add(&active, 1) + 1;

    CHECK(n <= SIZE);
    if (n % 2)
        ant_yield();
    atomic_fetch_sub(&active, 1);
    atomic_fetch_add(&ran, 1);
}

static long bursts(double seconds)
{
    double end = test_now() + seconds;
    long n = 0;

    for (int round = 0; test_now() < end; round++) {
        for (int i = 0; i < 1 + round % 12; i++, n++)
            CHECK_INT(ant_pool_submit(pool, task, NULL), 0);
        while (round % 3 == 0 && atomic_load(&ran) < n)
            ant_yield();
        if (round % 5 == 0)
            ant_sleep(round % 70 * ANT_MICROSECOND);
    }
    return n;
}

static void play(double seconds, ant_pool_options options)
{
    ant_pool_stats stats;
    long n;

    atomic_store(&ran, 0);
    CHECK_INT(ant_pool_new(&pool, SIZE, &options), 0);
    n = bursts(seconds);
    CHECK_INT(ant_pool_wait(pool), 0);
    while (ant_pool_running(pool) > options.min_workers)
        ant_sleep(ANT_MILLISECOND);
    CHECK_INT(atomic_load(&ran), n);
    CHECK_INT(ant_pool_running(pool), options.min_workers);
    CHECK_INT(ant_pool_stats_get(pool, &stats), 0);
    CHECK(stats.expired > 0);
    CHECK_INT(stats.started, n);
    CHECK_INT(ant_pool_destroy(pool), 0);
}

static int run(void *arg)
{
    double seconds = torture_seconds(0.5) / 5;

    play(seconds, (ant_pool_options){.expiry = 1});
    play(seconds, (ant_pool_options){.expiry = 1, .prealloc = true});
    play(seconds, (ant_pool_options){.expiry = 20 * ANT_MICROSECOND});
    play(seconds, (ant_pool_options){.expiry = 20 * ANT_MICROSECOND, .prealloc = true});
    play(seconds, (ant_pool_options){.expiry = 1, .min_workers = 2});
    return 0;
}

int main(void)
{
    ant__clock = hand_clock; /* the coarse one would make expiries rare */
    return ant_run(run, NULL, NULL);
}
