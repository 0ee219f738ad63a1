/* No more goroutines than max_hogs compute beside the Ps: the next one keeps its P, and those behind it
 * wait, until one of the others has ended.
 *
 * Catches: a limit that nobody looks at. */
#include <stdatomic.h>

#include <anthill.h>

#include "always_hogs.h"
#include "check.h"
#include "runtime/runtime.h"

enum { LIMIT = 2, HOGS = LIMIT + 4, WATCH_MS = 150 };

static _Atomic int started;
static _Atomic bool ends[HOGS]; /* in the order in which they started */
static ant_waitgroup wg;

static void hog(void *arg)
{
    int number = atomic_fetch_add(&started, 1);

    while (!atomic_load_explicit(&ends[number], memory_order_relaxed))
        continue;
    ant_waitgroup_done(&wg);
}

static int bare(void)
{
    int n;

    ant__lock(&ant__sched.lock);
    n = ant__sched.bare_ms_n;
    ant__unlock(&ant__sched.lock);
    return n;
}

static void await_started(int n)
{
    for (double deadline = test_now() + 40; atomic_load(&started) < n; usleep(1000)) {
        if (test_now() > deadline)
            FAIL("%d of %d started", atomic_load(&started), n);
    }
}

/* As many as may run beside the P, one on it, and never one more. */
static void check_capped(int ended)
{
    await_started(ended + LIMIT + 1);
    for (int i = 0; i < WATCH_MS; i++) {
        CHECK(bare() <= LIMIT);
        CHECK_INT(atomic_load(&started), ended + LIMIT + 1);
        usleep(1000);
    }
}

TEST(seize_hogs_capped)
{
    CHECK_INT(ant_start(&(ant_config){.procs = 1, .max_hogs = LIMIT}), 0);
    ant_waitgroup_add(&wg, HOGS);
    for (int i = 0; i < HOGS; i++)
        CHECK_INT(ant_go(hog, NULL), 0);
    check_capped(0);
    atomic_store(&ends[0], true);
    check_capped(1);
    for (int i = 0; i < HOGS; i++)
        atomic_store(&ends[i], true);
    ant_waitgroup_wait(&wg);
    CHECK_INT(ant_stop(), 0);
    return 0;
}
