/* go_yield_locked_progress.c - the same as go_yield_progress with a goroutine that is tied to its
 * thread.
 *
 * Catches: the P that goes back and forth between the tied thread and another one serves neither
 * its timers nor its queue. (Then this hangs.)
 */
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"

static _Atomic bool stop;
static ant_waitgroup ended;

static void yielder(void *arg)
{
    CHECK_INT(ant_lock_thread(), 0);
    while (!atomic_load(&stop))
        ant_yield();
    ant_waitgroup_done(&ended);
}

static int run(void *arg)
{
    ant_waitgroup_add(&ended, 1);
    CHECK_INT(ant_go(yielder, NULL), 0);
    ant_sleep(10 * ANT_MILLISECOND);
    atomic_store(&stop, true);
    ant_waitgroup_wait(&ended);
    return 0;
}

TEST(go_yield_locked_progress)
{
    return ant_run(run, NULL, NULL);
}
