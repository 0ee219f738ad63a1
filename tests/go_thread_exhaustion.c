/* go_thread_exhaustion.c - the limit on threads holds. If threads are left to run goroutines, the
 * program is told once and goes on with these; if all are tied to goroutines that wait while others
 * could run, it is ended and says why.
 *
 * Catches: more threads than allowed; goroutines that are stranded on a P without a thread; a hang,
 * or a wrong report of a deadlock, when no thread is left.
 */
#include <errno.h>
#include <signal.h>

#include "go_deadlock.h"

enum { LIMIT = 4 };

static ant_waitgroup ended, hold;
static char output[64 << 10];

/* ---- threads are left ---- */

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
    int tied = *(int *)arg;
    ant_stats stats;

    ant_waitgroup_add(&hold, 1);
    for (int round = 0; round < 10; round++) {
        ant_waitgroup_add(&ended, 200 + tied);
        for (int i = 0; i < tied; i++)
            CHECK_INT(ant_go(tie, NULL), 0);
        for (int i = 0; i < 200; i++)
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

/* ---- none is left ---- */

static void tie_for_ever(void *arg)
{
    CHECK_INT(ant_lock_thread(), 0);
    wait_for_ever();
}

static int exhaust(void *arg)
{
    for (int i = 0; i < 3 * LIMIT; i++)
        CHECK_INT(ant_go(tie_for_ever, NULL), 0);
    ant_sleep(ANT_MILLISECOND);
    printf("the main goroutine went on\n");
    return 0;
}

static void child_exhausts(void)
{
    alarm(50);
    ant_run(exhaust, NULL, &(ant_config){.max_threads = LIMIT});
}

static void ends(void)
{
    int status = test_child(child_exhausts, output, sizeof output);

    CHECK_HAS(output, "cannot make a thread");
    CHECK_HAS(output, "no thread is left");
    CHECK(WIFSIGNALED(status));
    CHECK_INT(WTERMSIG(status), SIGABRT);
}

int main(void)
{
    for (int tied = 0; tied < LIMIT; tied++)
        goes_on_with(tied);
    ends();
    return 0;
}
