/* preempt_one_thread - with less threads than Ps there is always an idle P, and nobody for it: one that
 * computes is interrupted all the same, and lets the others run.
 *
 * Catches: an idle P that is taken for somebody who will see to the others. (Then it hangs.) */
#include <stdatomic.h>

#include <anthill.h>

#include "preempt.h"

static _Atomic bool released;

static void release(void *arg)
{
    atomic_store(&released, true);
}

static void compute(void *arg)
{
    while (!atomic_load_explicit(&released, memory_order_relaxed))
        continue; /* a call into libc would be no good moment for the signal */
    ant_waitgroup_done(arg);
}

static int run(void *arg)
{
    const ant_go_options options = {.preempt = ANT_PREEMPT_SIGNAL};
    ant_waitgroup wg = {0};

    if (!can_preempt())
        return 0;
    ant_waitgroup_add(&wg, 1);
    CHECK_INT(ant_go(release, NULL), 0);
    CHECK_INT(ant_go_opts(&options, compute, &wg), 0); /* the last one comes first */
    ant_waitgroup_wait(&wg);
    return 0;
}

TEST(preempt_one_thread)
{
    const ant_config config = {.procs = 3, .max_threads = 1};

    for (int i = 0; i < 5; i++) {
        atomic_store(&released, false);
        CHECK_INT(ant_run(run, NULL, &config), 0);
    }
    return 0;
}
