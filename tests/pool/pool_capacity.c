/* pool_capacity - never more tasks at a time than the pool may have workers, while somebody tunes
 * it up and down all the time and submitters wait. After it was tuned down, and the workers beyond
 * have finished, the lower limit holds to the letter, for each pool of a multi pool by itself; and all
 * tasks were run. The same for preallocated pools, which cannot be tuned. */
#include <pthread.h>
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"

enum { LOW = 2, HIGH = 9, PRODUCERS = 20, POOLS = 2 };

static ant_pool *pool;
static ant_multi_pool *multi;
static atomic_int phase; /* even: LOW holds */
static atomic_int active, producers;
static atomic_long accepted, ran;
static atomic_bool stop;
static bool tunable;

static void task(void *arg)
{
    int then = atomic_load(&phase), n = atomic_fetch_add(&active, 1) + 1;

    if (atomic_load(&phase) == then && n > (then % 2 ? HIGH : LOW) * (multi ? POOLS : 1))
        FAIL("%d run at a time, in phase %d", n, then);
    if (n % 3)
        ant_yield();
    atomic_fetch_sub(&active, 1);
    atomic_fetch_add(&ran, 1);
}

static int submit(void)
{
    return multi ? ant_multi_pool_submit(multi, task, NULL) : ant_pool_submit(pool, task, NULL);
}

/* Of one of the pools. */
static int running(int i)
{
    int n;

    if (!multi)
        return ant_pool_running(pool);
    CHECK_INT(ant_multi_pool_running_by_index(multi, i, &n), 0);
    return n;
}

static bool within(int limit)
{
    return running(0) <= limit && (!multi || running(1) <= limit);
}

static void tune(int size)
{
    CHECK_INT(multi ? ant_multi_pool_tune(multi, size) : ant_pool_tune(pool, size), 0);
}

static void produce(void *arg)
{
    while (!atomic_load(&stop)) {
        CHECK_INT(submit(), 0);
        atomic_fetch_add(&accepted, 1);
    }
    atomic_fetch_sub(&producers, 1);
}

static void *produce_in_thread(void *arg)
{
    produce(NULL);
    return NULL;
}

static void await_some(int limit)
{
    long before = atomic_load(&ran);

    while (atomic_load(&ran) < before + 20) {
        CHECK(within(limit));
        ant_yield();
    }
}

static void up_and_down(void)
{
    atomic_fetch_add(&phase, 1);
    tune(HIGH);
    await_some(HIGH);
    tune(LOW);
    while (!within(LOW))
        ant_yield();
    atomic_fetch_add(&phase, 1);
    await_some(LOW);
}

static void storm(double seconds)
{
    double end = test_now() + seconds;

    while (test_now() < end) {
        if (tunable)
            up_and_down();
        else
            await_some(LOW);
    }
}

static void play(double seconds)
{
    pthread_t thread;

    atomic_store(&stop, false);
    atomic_store(&producers, PRODUCERS + 1);
    CHECK_INT(pthread_create(&thread, NULL, produce_in_thread, NULL), 0);
    for (int i = 0; i < PRODUCERS; i++)
        CHECK_INT(ant_go(produce, NULL), 0);
    storm(seconds);
    atomic_store(&stop, true);
    while (atomic_load(&producers) > 0)
        ant_yield();
    CHECK_INT(pthread_join(thread, NULL), 0);
}

static void all_done(void)
{
    CHECK_INT(atomic_load(&ran), atomic_load(&accepted));
    CHECK_INT(atomic_load(&active), 0);
}

static void single(double seconds, ant_pool_options options)
{
    tunable = !options.prealloc;
    CHECK_INT(ant_pool_new(&pool, LOW, &options), 0);
    play(seconds);
    CHECK_INT(ant_pool_destroy(pool), 0);
    all_done();
}

static void several(double seconds, enum ant_strategy strategy, ant_pool_options options)
{
    tunable = !options.prealloc;
    CHECK_INT(ant_multi_pool_new(&multi, POOLS, LOW, strategy, &options), 0);
    play(seconds);
    CHECK_INT(ant_multi_pool_destroy(multi), 0);
    multi = NULL;
    all_done();
}

static int run(void *arg)
{
    double seconds = torture_seconds(0.4) / 8;

    single(seconds, (ant_pool_options){0});
    single(seconds, (ant_pool_options){.queue = 5});
    single(seconds, (ant_pool_options){.expiry = 1, .min_workers = 1});
    single(seconds, (ant_pool_options){.prealloc = true});
    single(seconds, (ant_pool_options){.prealloc = true, .expiry = 1, .queue = 5});
    several(seconds, ANT_LEAST_TASKS, (ant_pool_options){0});
    several(seconds, ANT_ROUND_ROBIN, (ant_pool_options){0});
    several(seconds, ANT_LEAST_TASKS, (ant_pool_options){.prealloc = true});
    return 0;
}

TEST(pool_capacity)
{
    return ant_run(run, NULL, NULL);
}
