/* Many goroutines that sleep in a call nobody announced, at the same time: each loses its P soon after
 * it fell asleep, not after a slice, so all are done in little more than the time of one. A goroutine
 * that only sleeps gets its turns meanwhile.
 *
 * Catches: a monitor that waits for a slice with each of them. */
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"

enum { SLEEPERS = 400, EACH_MS = 100 };

static ant_waitgroup wg;
static _Atomic bool over;

static void sleeper(void *arg)
{
    usleep(EACH_MS * 1000);
    ant_waitgroup_done(&wg);
}

static void ticks(void *arg)
{
    int *n = arg;

    for (; !atomic_load(&over); (*n)++)
        ant_sleep(ANT_MILLISECOND);
    ant_waitgroup_done(&wg);
}

static int run(void *arg)
{
    int n = test_scale_least(SLEEPERS, 60), ticked = 0;
    double a_slice_each = n * 0.010 / ant_procs(), start = test_now(), took;

    ant_waitgroup_add(&wg, 1);
    CHECK_INT(ant_go(ticks, &ticked), 0);
    ant_sleep(ANT_MILLISECOND);
    ant_waitgroup_add(&wg, n);
    for (int i = 0; i < n; i++)
        CHECK_INT(ant_go(sleeper, NULL), 0);
    while (ant_count() > 2)
        ant_sleep(ANT_MILLISECOND);
    took = test_now() - start;
    atomic_store(&over, true);
    ant_waitgroup_wait(&wg);
    /* Under TSan and qemu to make a thread takes as long as a slice. */
    if (!test_is_slow() && took > EACH_MS / 1e3 + a_slice_each * 0.7)
        FAIL("%d sleeps of %d ms took %.3f s", n, EACH_MS, took);
    if (ticked < took * 1000 / 50)
        FAIL("%d turns in %.3f s", ticked, took);
    return 0;
}

TEST(seize_crowd)
{
    const ant_config config = {.procs = 2};

    CHECK_INT(unsetenv("ANTHILL"), 0);
    CHECK_INT(ant_run(run, NULL, &config), 0);
    return 0;
}
