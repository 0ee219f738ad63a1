/* preempt_signal - goroutines that compute and may be interrupted let the others run, though there
 * are more of them than may run beside the Ps, and do not notice: registers of all kinds, flags and
 * the red zone are kept. */
#include <stdatomic.h>

#include <anthill.h>

#include "preempt.h"

enum { HOGS_PER_P = 2, TURNS = 20 };

static _Atomic int turns, computed, ready;
static _Atomic bool released;
static ant_waitgroup wg;

static void hog(void *arg)
{
    for (int i = (int)(intptr_t)arg; !atomic_load(&released); i++) {
        compute_once(i);
        atomic_fetch_add(&computed, 1);
    }
    ant_waitgroup_done(&wg);
}

/* Never looks up from its work, until all is done. */
static void endless(void *arg)
{
    atomic_fetch_add(&ready, 1);
    while (!atomic_load_explicit(&released, memory_order_relaxed))
        continue;
    ant_waitgroup_done(&wg);
}

static void worker(void *arg)
{
    for (int i = 0; i < TURNS; i++) {
        atomic_fetch_add(&turns, 1);
        ant_yield();
    }
    ant_waitgroup_done(&wg);
}

static int run(void *arg)
{
    const ant_go_options options = {.preempt = ANT_PREEMPT_SIGNAL};
    uint64_t enough = (uint64_t)test_scale(400);
    int hogs = HOGS_PER_P * ant_procs() + 2;

    if (!can_preempt())
        return 0;
    ant_waitgroup_add(&wg, 2 * hogs + 2);
    for (int i = 0; i < hogs; i++) {
        CHECK_INT(ant_go_opts(&options, hog, (void *)(intptr_t)i), 0);
        CHECK_INT(ant_go_opts(&options, endless, NULL), 0);
    }
    ant_go(worker, NULL);
    ant_go(worker, NULL);
    while (atomic_load(&turns) < 2 * TURNS || atomic_load(&computed) < 3 * KINDS ||
           atomic_load(&ready) < hogs || preempted() < enough)
        ant_sleep(ANT_MILLISECOND);
    atomic_store(&released, true);
    ant_waitgroup_wait(&wg);
    return 0;
}

TEST(preempt_signal)
{
    ant__slice = 100 * ANT_MICROSECOND;
    compute_expected();
    CHECK_INT(ant_run(run, NULL, &(ant_config){.max_hogs = 1}), 0);
    return 0;
}
