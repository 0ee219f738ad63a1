/* go_gc_fairness.c - goroutines that loop over short system calls, and never let go of their P, do
 * not keep another one from its sleeps.
 *
 * Catches: a P that is not taken from them for a timer's sake. (Then this hangs.)
 */
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"

static _Atomic bool stop;
static ant_waitgroup ended;

static void write_on(void *arg)
{
    int fd = *(int *)arg;

    while (!atomic_load(&stop))
        CHECK_INT(write(fd, ".", 1), 1);
    ant_waitgroup_done(&ended);
}

static int run(void *arg)
{
    int fd = open("/dev/null", O_WRONLY);

    CHECK(fd >= 0);
    ant_waitgroup_add(&ended, 2);
    for (int i = 0; i < 2; i++)
        CHECK_INT(ant_go_copy(write_on, &fd, sizeof fd), 0);
    ant_sleep(10 * ANT_MILLISECOND);
    atomic_store(&stop, true);
    ant_waitgroup_wait(&ended);
    close(fd);
    return 0;
}

TEST(go_gc_fairness)
{
    return ant_run(run, NULL, NULL);
}
