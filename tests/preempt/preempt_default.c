/* preempt_default - SIGURG from elsewhere does what it does by default while the runtime uses it to
 * interrupt goroutines: nothing, and goroutines go on being interrupted.
 *
 * Catches: a process that ends by it, or a handler that is gone after it. */
#include <signal.h>

#include <anthill.h>

#include "preempt.h"

enum { SENT = 20 };

static _Atomic bool released;

static void hog(void *arg)
{
    while (!atomic_load_explicit(&released, memory_order_relaxed))
        continue;
    ant_waitgroup_done(arg);
}

static int run(void *arg)
{
    const ant_go_options options = {.preempt = ANT_PREEMPT_SIGNAL};
    ant_waitgroup wg = {0};

    if (!can_preempt())
        return 0;
    for (int i = 0; i < SENT; i++)
        CHECK_INT(i % 2 ? raise(SIGURG) : kill(getpid(), SIGURG), 0);
    CHECK_INT(preempted(), 0);
    ant_waitgroup_add(&wg, 2);
    CHECK_INT(ant_go_opts(&options, hog, &wg), 0);
    CHECK_INT(ant_go_opts(&options, hog, &wg), 0);
    while (preempted() == 0)
        ant_sleep(ANT_MILLISECOND);
    atomic_store(&released, true);
    ant_waitgroup_wait(&wg);
    return 0;
}

TEST(preempt_default)
{
    struct sigaction after;

    CHECK_INT(unsetenv("ANTHILL"), 0);
    CHECK_INT(ant_run(run, NULL, &(ant_config){.procs = 1, .max_hogs = 1}), 0);
    CHECK_INT(sigaction(SIGURG, NULL, &after), 0);
    CHECK(after.sa_handler == SIG_DFL);
    return 0;
}
