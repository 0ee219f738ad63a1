/* pool_reboot_cycles - ten thousand times released and opened again, with submits under way from
 * goroutines and threads all the time. What was accepted runs once; once ant_pool_release_timeout
 * has returned 0 no task starts until the pool is opened again. Now and then it is opened while
 * tasks of its last life still run. Stack and ring. */
#include <pthread.h>
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"

enum { GOROUTINES = 3 };

static ant_pool *pool;
static atomic_bool quiet, stop;
static atomic_int producers;
static atomic_long accepted, ran;

static void task(void *arg)
{
    if (atomic_load(&quiet))
        FAIL("a task starts in a pool that was released");
    if (atomic_fetch_add(&ran, 1) % 2)
        ant_yield();
}

static void produce(void *arg)
{
    while (!atomic_load(&stop)) {
        int err = ant_pool_submit(pool, task, NULL);

        if (!err)
            atomic_fetch_add(&accepted, 1);
        else
            CHECK_INT(err, ANT_ECLOSED);
        if (err)
            ant_yield();
    }
    atomic_fetch_sub(&producers, 1);
}

static void *produce_in_thread(void *arg)
{
    produce(NULL);
    return NULL;
}

static void cycle(int i)
{
    long before = atomic_load(&ran);

    while (i % 4 && atomic_load(&ran) < before + 2)
        ant_yield();
    if (i % 3 == 0) {
        CHECK_INT(ant_pool_release(pool), 0);
    } else {
        CHECK_INT(ant_pool_release_timeout(pool, ANT_HOUR), 0);
        atomic_store(&quiet, true);
        ant_yield();
        CHECK_INT(ant_pool_running(pool), 0);
        atomic_store(&quiet, false);
    }
    CHECK(ant_pool_is_closed(pool));
    CHECK_INT(ant_pool_reboot(pool), 0);
    CHECK(!ant_pool_is_closed(pool));
}

static void play(int cycles, const ant_pool_options *options)
{
    pthread_t thread;

    atomic_store(&stop, false);
    atomic_store(&producers, GOROUTINES + 1);
    CHECK_INT(ant_pool_new(&pool, 3, options), 0);
    CHECK_INT(pthread_create(&thread, NULL, produce_in_thread, NULL), 0);
    for (int i = 0; i < GOROUTINES; i++)
        CHECK_INT(ant_go(produce, NULL), 0);
    for (int i = 0; i < cycles; i++)
        cycle(i);
    atomic_store(&stop, true);
    while (atomic_load(&producers) > 0)
        ant_yield();
    CHECK_INT(pthread_join(thread, NULL), 0);
    CHECK_INT(ant_pool_destroy(pool), 0);
    CHECK_INT(atomic_load(&ran), atomic_load(&accepted));
}

static int run(void *arg)
{
    int cycles = test_scale(10000) / 4 + 1;

    play(cycles, NULL);
    play(cycles, &(ant_pool_options){.prealloc = true});
    play(cycles, &(ant_pool_options){.expiry = 1, .queue = 3});
    play(cycles, &(ant_pool_options){.expiry = 1, .prealloc = true, .disable_purge = true});
    return 0;
}

int main(void)
{
    return ant_run(run, NULL, NULL);
}
