/* go_lock_os_thread_start_race.c - goroutines may tie themselves to threads right after the start,
 * while the runtime still makes its first ones, and be abandoned so.
 *
 * Catches: a thread that waits for its goroutine misses the stop; the first threads race with one
 * another.
 */
#include <limits.h>

#include <anthill.h>

#include "check.h"

static ant_waitgroup met;

static void tie(void *arg)
{
    CHECK_INT(ant_lock_thread(), 0);
    ant_yield();
    ant_waitgroup_done(&met);
    ant_sleep(ANT_HOUR);
}

static int run(void *arg)
{
    ant_waitgroup_add(&met, 2);
    CHECK_INT(ant_go(tie, NULL), 0);
    CHECK_INT(ant_go(tie, NULL), 0);
    if (arg)
        ant_waitgroup_wait(&met);
    return 0;
}

TEST(go_lock_os_thread_start_race)
{
    struct test_resources before;

    for (int i = 0; i < test_scale_least(50, 30); i++) {
        met = (ant_waitgroup){0};
        CHECK_INT(ant_run(run, i % 2 ? &met : NULL, NULL), 0);
        if (i == 0)
            before = test_resources_now();
    }
    test_resources_check(&before, INT_MAX / 2); /* libc keeps stacks of threads */
    return 0;
}
