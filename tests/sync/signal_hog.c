/* signal_hog - a signal arrives while all Ps compute, and its goroutine runs within a slice or two.
 *
 * Catches: a delivery that needs a P. */
#include <signal.h>
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"

static const int one[] = {SIGUSR1};

static atomic_bool received;
static ant_waitgroup all;

/* Calls nothing of ours. */
static void compute(void *arg)
{
    if (arg)
        raise(SIGUSR1);
    while (!atomic_load(&received))
        continue;
}

static void hog(void *arg)
{
    compute(arg);
    ant_waitgroup_done(&all);
}

static int run(void *arg)
{
    int n = ant_procs() + 1, signal = 0;
    ant_chan *c;

    CHECK_INT(ant_chan_new(&c, sizeof(int), 1), 0);
    CHECK_INT(ant_signal_notify(c, one, 1), 0);
    ant_waitgroup_add(&all, n);
    for (int i = 0; i < n; i++)
        CHECK_INT(ant_go(hog, i == n - 1 ? c : NULL), 0);
    CHECK(ant_chan_recv(c, &signal));
    atomic_store(&received, true);
    CHECK_INT(signal, SIGUSR1);
    ant_waitgroup_wait(&all);
    ant_signal_stop(c);
    CHECK_INT(ant_chan_destroy(c), 0);
    return 0;
}

TEST(signal_hog)
{
    return ant_run(run, NULL, NULL);
}
