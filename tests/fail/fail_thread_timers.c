/* fail_thread_timers - with all threads that are allowed in use, one tied to a goroutine that
 * sleeps and the others busy with goroutines that only yield, the sleep ends. */
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"

static ant_waitgroup wg;
static atomic_bool awake;

static void sleep_tied(void *arg)
{
    CHECK_INT(ant_lock_thread(), 0);
    ant_sleep(20 * ANT_MILLISECOND);
    atomic_store(&awake, true);
    CHECK_INT(ant_unlock_thread(), 0);
    ant_waitgroup_done(&wg);
}

static void yielder(void *arg)
{
    while (!atomic_load(&awake))
        ant_yield();
    ant_waitgroup_done(&wg);
}

static int run(void *arg)
{
    for (int i = 0; i < 5; i++) {
        atomic_store(&awake, false);
        ant_waitgroup_add(&wg, 4);
        CHECK_INT(ant_go(sleep_tied, NULL), 0);
        ant_yield();
        for (int j = 0; j < 3; j++)
            CHECK_INT(ant_go(yielder, NULL), 0);
        ant_waitgroup_wait(&wg);
    }
    return 0;
}

TEST(fail_thread_timers)
{
    return ant_run(run, NULL, &(ant_config){.procs = 2, .max_threads = 2});
}
