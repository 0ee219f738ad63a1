/* api_set_procs - ant_set_procs returns the former number and takes effect at once; goroutines,
 * timers and sleepers of Ps that go are not lost. Called from goroutines and threads, several at
 * once. */
#include <pthread.h>
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"

enum { WORKERS = 50, TIMERS = 50 };

static ant_waitgroup wg;
static atomic_bool stop;
static ant_timer timers[TIMERS];

static void work(void *arg)
{
    for (int i = 0; i < test_scale(1000); i++) {
        if (i % 7 == 0)
            ant_sleep(50 * ANT_MICROSECOND);
        else
            ant_yield();
    }
    ant_waitgroup_done(&wg);
}

static void fired(void *arg)
{
    ant_waitgroup_done(&wg);
}

static void *resize_from_thread(void *arg)
{
    for (unsigned i = 0; !atomic_load(&stop); i++) {
        CHECK(ant_set_procs(1 + (int)(i * 7 % 9)) >= 1);
        usleep(200);
    }
    return NULL;
}

static void check_returned_numbers(void)
{
    int before = ant_procs();

    CHECK_INT(ant_set_procs(3), before);
    CHECK_INT(ant_procs(), 3);
    CHECK_INT(ant_set_procs(1024), 3);
    CHECK_INT(ant_procs(), 1024);
    CHECK_INT(ant_set_procs(1), 1024);
    CHECK_INT(ant_procs(), 1);
    CHECK_INT(ant_set_procs(1), 1);
    CHECK_INT(ant_set_procs(before), 1);
}

static int run(void *arg)
{
    pthread_t t;

    check_returned_numbers();
    ant_waitgroup_add(&wg, WORKERS + TIMERS);
    CHECK_INT(pthread_create(&t, NULL, resize_from_thread, NULL), 0);
    for (int i = 0; i < WORKERS; i++)
        CHECK_INT(ant_go(work, NULL), 0);
    for (int i = 0; i < TIMERS; i++) {
        CHECK_INT(ant_timer_start(&timers[i], i * ANT_MILLISECOND, fired, NULL), 0);
        CHECK(ant_set_procs(1 + i % 5) >= 1);
        ant_sleep(100 * ANT_MICROSECOND);
    }
    ant_waitgroup_wait(&wg);
    atomic_store(&stop, true);
    CHECK_INT(pthread_join(t, NULL), 0);
    check_returned_numbers();
    return 0;
}

TEST(api_set_procs)
{
    CHECK_INT(ant_run(run, NULL, NULL), 0);
    return 0;
}
