/* preempt_signal_off - without a signal no handler is installed, and goroutines that might be
 * interrupted are treated like all others; with one the handler is gone when the runtime is. */
#include <signal.h>
#include <stdatomic.h>

#include <anthill.h>

#include "preempt.h"
#include "runtime/preempt.h"

enum { HOGS = 4, TURNS = 10 };

static _Atomic int turns;
static _Atomic bool released;
static ant_waitgroup wg;

static bool has_handler(int signal)
{
    struct sigaction action;

    CHECK_INT(sigaction(signal, NULL, &action), 0);
    return action.sa_handler != SIG_DFL;
}

static void hog(void *arg)
{
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

    CHECK(!has_handler(SIGURG));
    ant_waitgroup_add(&wg, HOGS + 1);
    for (int i = 0; i < HOGS; i++)
        CHECK_INT(ant_go_opts(&options, hog, NULL), 0);
    ant_go(worker, NULL);
    while (atomic_load(&turns) < TURNS)
        ant_sleep(ANT_MILLISECOND);
    atomic_store(&released, true);
    ant_waitgroup_wait(&wg);
    CHECK_INT(preempted(), 0);
    return 0;
}

static int with_signal(void *signal)
{
    CHECK(has_handler(*(int *)signal) == ant__preempt_works());
    return 0;
}

TEST(preempt_signal_off)
{
    int other = SIGUSR2, usual = SIGURG;

    ant__slice = ANT_MILLISECOND;
    CHECK_INT(ant_run(run, NULL, &(ant_config){.preempt_signal = -1}), 0);
    CHECK_INT(ant_run(with_signal, &usual, NULL), 0);
    CHECK_INT(ant_run(with_signal, &other, &(ant_config){.preempt_signal = other}), 0);
    CHECK(!has_handler(usual));
    CHECK(!has_handler(other));
    return 0;
}
