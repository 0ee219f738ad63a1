/* pool_release_once - a task whose submit returned 0 runs exactly once, and one whose submit failed
 * never, while the pool is released in the midst of it all: with and without a queue, for both
 * containers of idle workers, by goroutines and threads. */
#include <pthread.h>
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"

enum { PRODUCERS = 6, TASKS = 2000 };

static ant_pool *pool;
static atomic_int ran[PRODUCERS][TASKS];
static int accepted[PRODUCERS]; /* the first so many */
static atomic_int producers, all;

static void task(void *arg)
{
    atomic_fetch_add((atomic_int *)arg, 1);
    if (atomic_fetch_add(&all, 1) % 2)
        ant_yield();
}

static void produce(void *arg)
{
    int who = (int)(intptr_t)arg, i = 0, err = 0;

    while (i < TASKS && (err = ant_pool_submit(pool, task, &ran[who][i])) == 0)
        i++;
    if (i < TASKS)
        CHECK_INT(err, ANT_ECLOSED);
    accepted[who] = i;
    atomic_fetch_sub(&producers, 1);
}

static void *produce_in_thread(void *arg)
{
    produce(arg);
    return NULL;
}

static void check_all(void)
{
    for (int p = 0; p < PRODUCERS; p++)
        for (int i = 0; i < TASKS; i++)
            CHECK_INT(atomic_exchange(&ran[p][i], 0), i < accepted[p]);
}

static void play(int round, const ant_pool_options *options)
{
    pthread_t thread;

    CHECK_INT(ant_pool_new(&pool, 1 + round % 5, options), 0);
    atomic_store(&all, 0);
    atomic_store(&producers, PRODUCERS);
    for (int i = 1; i < PRODUCERS; i++)
        CHECK_INT(ant_go(produce, (void *)(intptr_t)i), 0);
    CHECK_INT(pthread_create(&thread, NULL, produce_in_thread, NULL), 0);
    while (atomic_load(&all) < round * 7 % 500)
        ant_yield();
    CHECK_INT(ant_pool_release(pool), 0);
    CHECK_INT(ant_pool_release(pool), ANT_ECLOSED);
    while (atomic_load(&producers) > 0)
        ant_yield();
    CHECK_INT(pthread_join(thread, NULL), 0);
    CHECK_INT(ant_pool_destroy(pool), 0);
    check_all();
}

static int run(void *arg)
{
    double end = test_now() + torture_seconds(0.4);

    for (int round = 0; round < 4 || test_now() < end; round++) {
        play(round, NULL);
        play(round, &(ant_pool_options){.prealloc = true});
        play(round, &(ant_pool_options){.queue = 50, .expiry = 1});
    }
    return 0;
}

TEST(pool_release_once)
{
    return ant_run(run, NULL, NULL);
}
