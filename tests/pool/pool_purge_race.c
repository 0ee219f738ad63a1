/* pool_purge_race - workers expire all the time while tasks come in bursts, from one goroutine, or
 * from several and a plain thread: no task is lost, run twice or kept waiting, the limit holds, and
 * when no more come all workers but the least number are retired, though nobody calls the pool any
 * more. Stack and ring, which wraps around here, and several pools as one. */
#include <pthread.h>

#include <anthill.h>

#include "hand_clock.h"

enum { SIZE = 5, POOLS = 3, SUBMITTERS = 3 };

static ant_pool *pool;
static ant_multi_pool *multi; /* or it is this */
static atomic_int active, submitters;
static atomic_long submitted, ran;
static double end;

static void task(void *arg)
{
    int n = atomic_fetch_add(&active, 1) + 1;

    CHECK(n <= SIZE * (multi ? POOLS : 1));
    if (n % 2)
        ant_yield();
    atomic_fetch_sub(&active, 1);
    atomic_fetch_add(&ran, 1);
}

static int submit(void)
{
    return multi ? ant_multi_pool_submit(multi, task, NULL) : ant_pool_submit(pool, task, NULL);
}

static int running(void)
{
    return multi ? ant_multi_pool_running(multi) : ant_pool_running(pool);
}

static ant_pool_stats stats_now(void)
{
    ant_pool_stats stats;

    CHECK_INT(multi ? ant_multi_pool_stats_get(multi, &stats) : ant_pool_stats_get(pool, &stats),
              0);
    return stats;
}

/* The time may be over before anything was done, on a busy machine. */
static void bursts(void *arg)
{
    for (int round = 0; test_now() < end || stats_now().expired == 0; round++) {
        long n = 0;

        for (int i = 0; i < 1 + round % 12; i++) {
            CHECK_INT(submit(), 0);
            n = atomic_fetch_add(&submitted, 1) + 1;
        }
        while (round % 3 == 0 && atomic_load(&ran) < n)
            ant_yield();
        if (round % 5 == 0)
            ant_sleep(round % 70 * ANT_MICROSECOND);
    }
    atomic_fetch_sub(&submitters, 1);
}

static void *bursts_in_thread(void *arg)
{
    bursts(NULL);
    return NULL;
}

static void bursts_of_many(void)
{
    pthread_t thread;

    atomic_store(&submitters, SUBMITTERS + 1);
    CHECK_INT(pthread_create(&thread, NULL, bursts_in_thread, NULL), 0);
    for (int i = 0; i < SUBMITTERS; i++)
        CHECK_INT(ant_go(bursts, NULL), 0);
    while (atomic_load(&submitters) > 0)
        ant_sleep(10 * ANT_MICROSECOND);
    CHECK_INT(pthread_join(thread, NULL), 0);
}

static void check_left(int left)
{
    while (running() > left)
        ant_sleep(ANT_MILLISECOND);
    CHECK_INT(running(), left);
    CHECK_INT(stats_now().started, atomic_load(&submitted));
}

static void load(double seconds, bool many)
{
    atomic_store(&submitted, 0);
    atomic_store(&ran, 0);
    end = test_now() + seconds;
    if (many)
        bursts_of_many();
    else
        bursts(NULL);
    while (atomic_load(&ran) < atomic_load(&submitted))
        ant_yield();
}

static void play(double seconds, bool many, ant_pool_options options)
{
    CHECK_INT(ant_pool_new(&pool, SIZE, &options), 0);
    load(seconds, many);
    check_left(options.min_workers);
    CHECK_INT(ant_pool_destroy(pool), 0);
    CHECK_INT(atomic_load(&ran), atomic_load(&submitted));
}

static void play_multi(double seconds, enum ant_strategy strategy, ant_pool_options options)
{
    CHECK_INT(ant_multi_pool_new(&multi, POOLS, SIZE, strategy, &options), 0);
    load(seconds, true);
    check_left(POOLS * options.min_workers);
    CHECK_INT(ant_multi_pool_destroy(multi), 0);
    CHECK_INT(atomic_load(&ran), atomic_load(&submitted));
    multi = NULL;
}

static int run(void *arg)
{
    double seconds = torture_seconds(0.5) / 10;

    for (int many = 0; many < 2; many++) {
        play(seconds, many, (ant_pool_options){.expiry = 1});
        play(seconds, many, (ant_pool_options){.expiry = 1, .prealloc = true});
        play(seconds, many, (ant_pool_options){.expiry = 20 * ANT_MICROSECOND});
        play(seconds, many, (ant_pool_options){.expiry = 1, .min_workers = 2});
    }
    play_multi(seconds, ANT_ROUND_ROBIN, (ant_pool_options){.expiry = 1});
    play_multi(seconds, ANT_LEAST_TASKS,
               (ant_pool_options){.expiry = 20 * ANT_MICROSECOND, .prealloc = true});
    return 0;
}

TEST(pool_purge_race)
{
    ant__clock = hand_clock; /* the coarse one would make expiries rare */
    return ant_run(run, NULL, NULL);
}
