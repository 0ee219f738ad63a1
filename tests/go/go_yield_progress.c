/* go_yield_progress.c - a goroutine that does nothing but yield lets the others go on.
 *
 * Catches: a P whose own queue is never empty does not serve its timers. (Then this hangs.)
 */
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"

static _Atomic bool stop;
static ant_waitgroup ended;

static void yielder(void *arg)
{
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

TEST(go_yield_progress)
{
    return ant_run(run, NULL, NULL);
}
