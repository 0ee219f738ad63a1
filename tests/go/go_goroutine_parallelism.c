/* go_goroutine_parallelism.c - as many goroutines as there are Ps really run at once: they advance
 * a counter in turn, and hold on to their P while they wait for theirs.
 *
 * Catches: a P is left idle while a goroutine waits in a queue. (Then this hangs.) They wait by
 * sched_yield, which the runtime does not see, so that there need not be as many CPUs.
 */
#include <sched.h>
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"

enum { ROUNDS = 10, STEPS = 3 };

static _Atomic int counter;
static ant_waitgroup ended;

static void in_step(void *arg)
{
    int me = *(int *)arg;

    for (int i = 0; i < STEPS; i++) {
        while (atomic_load(&counter) != i * ant_procs() + me)
            sched_yield();
        atomic_fetch_add(&counter, 1);
    }
    ant_waitgroup_done(&ended);
}

static int run(void *arg)
{
    int procs = ant_procs();

    for (int round = 0; round < ROUNDS; round++) {
        atomic_store(&counter, 0);
        ant_waitgroup_add(&ended, procs);
        for (int me = 0; me < procs; me++)
            CHECK_INT(ant_go_copy(in_step, &me, sizeof me), 0);
        ant_waitgroup_wait(&ended);
        CHECK_INT(counter, procs * STEPS);
    }
    return 0;
}

TEST(go_goroutine_parallelism)
{
    return ant_run(run, NULL, NULL);
}
