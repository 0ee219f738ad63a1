/* Goroutines that end a section in which they lost their P go on at once, but hardly more of them than
 * there are Ps, beside those that have one. Those that call into the runtime do so with a P.
 *
 * Catches: no limit; one that is not given back; one that nobody reaches. */
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"
#include "runtime/runtime.h"

enum { SECTIONS = 20, TURNS = 50 };

static _Atomic int outside, most, bare;
static ant_waitgroup wg;
static ant_mutex mutex;
static int turns;

/* Not by sleeping in a call: that would let others on. */
static void compute(double seconds)
{
    double end = test_now() + seconds;

    while (test_now() < end)
        continue;
}

static void section(void *arg)
{
    for (int i = 0; i < TURNS; i++) {
        int n;

        ant_blocking_begin();
        usleep(300);
        ant_blocking_end();
        n = atomic_fetch_add(&outside, 1) + 1;
        if (n > atomic_load(&most))
            atomic_store(&most, n);
        compute(0.0002);
        atomic_fetch_add(&bare, atomic_load(&ant__sched.run_bare) > 0);
        atomic_fetch_sub(&outside, 1);
        if (i % 5 == 0) {
            ant_mutex_lock(&mutex);
            turns++;
            ant_mutex_unlock(&mutex);
        }
    }
    ant_waitgroup_done(&wg);
}

static int run(void *arg)
{
    ant_waitgroup_add(&wg, SECTIONS);
    for (int i = 0; i < SECTIONS; i++)
        CHECK_INT(ant_go(section, NULL), 0);
    ant_waitgroup_wait(&wg);
    CHECK_INT(turns, SECTIONS * TURNS / 5);
    CHECK_INT(atomic_load(&ant__sched.run_bare), 0);
    CHECK(atomic_load(&bare) > 0);
    /* One that wakes up while sysmon is at it may lose its P just behind the section. */
    if (atomic_load(&most) > 2 * ant_procs() + SECTIONS / 3)
        FAIL("%d went on at the same time", atomic_load(&most));
    return 0;
}

TEST(blocking_bare)
{
    ant__slice = 1000 * ANT_SECOND; /* none is taken for a hog, however busy the machine is */
    CHECK_INT(ant_run(run, NULL, NULL), 0);
    return 0;
}
