/* pool_reboot_min - a pool with a least number of workers can be opened again while tasks of its
 * last life run, which count, or while others submit already, or after it was tuned below that
 * number: the call succeeds, and the limit holds. Who releases it while its first workers are still
 * being made leaves a pool without any; and if it is opened once more meanwhile, it has not more of
 * them than it should. */
#include <pthread.h>
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"

static ant_pool *pool;
static atomic_bool gate, stop;
static atomic_int producers;

static void wait_at_gate(void *arg)
{
    while (!atomic_load(&gate))
        ant_sleep(ANT_MICROSECOND);
}

static void begin(int size, int least)
{
    atomic_store(&gate, false);
    CHECK_INT(ant_pool_new(&pool, size, &(ant_pool_options){.min_workers = least}), 0);
    CHECK_INT(ant_pool_running(pool), least);
}

static void end(void)
{
    atomic_store(&gate, true);
    CHECK_INT(ant_pool_destroy(pool), 0);
}

static void tasks_left(void)
{
    begin(2, 2);
    for (int i = 0; i < 2; i++)
        CHECK_INT(ant_pool_submit(pool, wait_at_gate, NULL), 0);
    CHECK_INT(ant_pool_release(pool), 0);
    CHECK_INT(ant_pool_reboot(pool), 0);
    CHECK_INT(ant_pool_running(pool), 2);
    end();
}

static void tuned(void)
{
    begin(4, 3);
    CHECK_INT(ant_pool_tune(pool, 1), 0);
    CHECK_INT(ant_pool_running(pool), 1);
    CHECK_INT(ant_pool_release(pool), 0);
    CHECK_INT(ant_pool_reboot(pool), 0);
    CHECK_INT(ant_pool_running(pool), 1);
    end();
}

static void produce(void *arg)
{
    while (!atomic_load(&stop)) {
        if (ant_pool_submit(pool, wait_at_gate, NULL))
            ant_yield();
    }
    atomic_fetch_sub(&producers, 1);
}

static void others_submit(int cycles)
{
    begin(3, 3);
    atomic_store(&gate, true);
    atomic_store(&producers, 4);
    for (int i = 0; i < 4; i++)
        CHECK_INT(ant_go(produce, NULL), 0);
    for (int i = 0; i < cycles; i++) {
        ant_yield();
        CHECK_INT(ant_pool_release(pool), 0);
        CHECK_INT(ant_pool_reboot(pool), 0);
        CHECK(ant_pool_running(pool) <= 3);
    }
    atomic_store(&stop, true);
    while (atomic_load(&producers) > 0)
        ant_yield();
    end();
}

/* ---- while it is being opened ---- */

enum { LEAST = 500 };

static bool again;

static void *release_soon(void *arg)
{
    while (ant_pool_release_timeout(pool, ANT_HOUR) == ANT_ECLOSED)
        continue;
    if (again)
        CHECK_INT(ant_pool_reboot(pool), 0);
    return NULL;
}

static void released_meanwhile(int rounds)
{
    begin(2 * LEAST, LEAST);
    for (int i = 0; i < rounds; i++) {
        pthread_t thread;

        again = i % 2;
        ant_pool_release(pool);
        CHECK_INT(pthread_create(&thread, NULL, release_soon, NULL), 0);
        CHECK_INT(ant_pool_reboot(pool), 0);
        CHECK_INT(pthread_join(thread, NULL), 0);
        CHECK_INT(ant_pool_is_closed(pool), !again);
        CHECK_INT(ant_pool_running(pool), again ? LEAST : 0);
    }
    end();
}

static int run(void *arg)
{
    tasks_left();
    tuned();
    others_submit(test_scale(1000));
    released_meanwhile(test_scale(400));
    return 0;
}

TEST(pool_reboot_min)
{
    return ant_run(run, NULL, NULL);
}
