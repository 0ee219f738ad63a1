/* go_thread_limit.c - the limit on threads holds, and if threads are left that can run goroutines,
 * the program is told once and goes on with these.
 *
 * Catches: more threads than allowed; goroutines that are stranded on a P without a thread, when
 * one could not be made and another was just about to fall asleep.
 */
#include <anthill.h>

#include "check.h"

enum { LIMIT = 4 };

static ant_waitgroup ended, hold;
static char output[64 << 10];

static void work(void *arg)
{
    for (int i = 0; i < 10; i++)
        ant_yield();
    ant_sleep(ANT_MILLISECOND / 10);
    ant_waitgroup_done(&ended);
}

static void tie(void *arg)
{
    CHECK_INT(ant_lock_thread(), 0);
    for (int i = 0; i < 10; i++)
        ant_yield();
    ant_waitgroup_done(&ended);
    ant_waitgroup_wait(&hold);
    CHECK_INT(ant_unlock_thread(), 0);
}

static int go_on(void *arg)
{
    int tied = *(int *)arg, n = test_scale(200);
    ant_stats stats;

    ant_waitgroup_add(&hold, 1);
    for (int round = 0; round < 10; round++) {
        ant_waitgroup_add(&ended, n + tied);
        for (int i = 0; i < tied; i++)
            CHECK_INT(ant_go(tie, NULL), 0);
        for (int i = 0; i < n; i++)
            CHECK_INT(ant_go(work, NULL), 0);
        ant_waitgroup_wait(&ended);
        CHECK_INT(ant_stats_get(&stats), 0);
        CHECK(stats.threads <= LIMIT);
        tied = 0;
    }
    ant_waitgroup_done(&hold);
    return 0;
}

static int tied_goroutines;

static void child_goes_on(void)
{
    alarm(50);
    CHECK_INT(ant_run(go_on, &tied_goroutines, &(ant_config){.max_threads = LIMIT}), 0);
}

static int times(const char *text, const char *part)
{
    int n = 0;

    for (; (text = strstr(text, part)); text++)
        n++;
    return n;
}

static void goes_on_with(int tied)
{
    int status;

    tied_goroutines = tied;
    status = test_child(child_goes_on, output, sizeof output);
    if (status != 0)
        FAIL("with %d tied goroutines: status %#x, output \"%s\"", tied, (unsigned)status, output);
    CHECK(times(output, "cannot make a thread") <= 1);
}

TEST(go_thread_limit)
{
    for (int tied = 0; tied < LIMIT; tied++)
        goes_on_with(tied);
    return 0;
}
