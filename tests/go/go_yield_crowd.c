/* go_yield_crowd.c - of more yielding goroutines than a P's own queue holds all get on, those that
 * overflowed into the global queue too.
 *
 * Catches: a goroutine is lost when the queue overflows; those in the global queue starve. (Then
 * this hangs.)
 */
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"

enum { TURNS = 20 };

static _Atomic int slow; /* goroutines that have not had their turns yet */
static ant_waitgroup ended;

static void take_turns(void *arg)
{
    for (int i = 0; i < TURNS; i++)
        ant_yield();
    atomic_fetch_sub(&slow, 1);
    while (atomic_load(&slow) > 0) /* none makes room by ending */
        ant_yield();
    ant_waitgroup_done(&ended);
}

static int run(void *arg)
{
    int n = 300 + test_scale(700); /* a P's queue holds 256 */

    atomic_store(&slow, n);
    ant_waitgroup_add(&ended, n);
    for (int i = 0; i < n; i++)
        CHECK_INT(ant_go(take_turns, NULL), 0);
    ant_waitgroup_wait(&ended);
    CHECK_INT(atomic_load(&slow), 0);
    return 0;
}

TEST(go_yield_crowd)
{
    return ant_run(run, NULL, NULL);
}
