/* signal_bad - what ant_signal_notify and ant_ctx_with_signals refuse, and that nothing is caught
 * then. */
#include <errno.h>
#include <signal.h>

#include <anthill.h>

#include "check.h"

static const int one[] = {SIGUSR1};

static ant_chan *c;

static void check_refused(int signal, int expected)
{
    const int signals[] = {SIGUSR1, signal};
    ant_ctx *ctx = NULL;

    CHECK_INT(ant_signal_notify(c, signals, 2), expected);
    CHECK_INT(ant_ctx_with_signals(&ctx, NULL, signals, 2), expected);
    CHECK(!ctx);
}

static int run(void *arg)
{
    const int never[] = {SIGKILL, SIGSTOP, SIGSEGV,      SIGBUS,       SIGFPE,
                         SIGILL,  SIGTRAP, SIGABRT,      SIGSYS,       -1,
                         0,       32,      SIGRTMIN - 1, SIGRTMAX + 1, 4711};
    struct sigaction now;
    ant_chan *longs;
    ant_ctx *ctx;

    for (size_t i = 0; i < sizeof never / sizeof never[0]; i++)
        check_refused(never[i], -EINVAL);
    check_refused(SIGURG, -EINVAL); /* the presignal */
    check_refused(SIGQUIT, -EINVAL);
    CHECK_INT(ant_chan_new(&longs, sizeof(long), 1), 0);
    CHECK_INT(ant_signal_notify(longs, one, 1), -EINVAL);
    CHECK_INT(ant_chan_destroy(longs), 0);
    CHECK_INT(ant_signal_notify(NULL, one, 1), -EINVAL);
    CHECK_INT(ant_signal_notify(c, NULL, 1), -EINVAL);
    CHECK_INT(ant_signal_notify(c, one, 0), -EINVAL);
    CHECK_INT(ant_signal_notify(c, one, -1), -EINVAL);
    CHECK_INT(ant_ctx_with_signals(NULL, NULL, one, 1), -EINVAL);
    CHECK_INT(ant_ctx_with_signals(&ctx, NULL, NULL, 1), -EINVAL);
    CHECK_INT(ant_ctx_with_signals(&ctx, NULL, one, 0), -EINVAL);
    CHECK_INT(sigaction(SIGUSR1, NULL, &now), 0);
    CHECK(now.sa_handler == SIG_DFL);
    return 0;
}

/* By other settings other signals are free. */
static int run_otherwise(void *arg)
{
    static const int urgent[] = {SIGURG, SIGQUIT}, presignal[] = {SIGUSR2};

    CHECK_INT(ant_signal_notify(c, presignal, 1), -EINVAL);
    CHECK_INT(ant_signal_notify(c, urgent, 2), 0);
    raise(SIGURG);
    raise(SIGQUIT);
    for (int i = 0; i < 2; i++) {
        int signal;

        CHECK(ant_chan_recv(c, &signal));
        CHECK(signal == SIGURG || signal == SIGQUIT);
    }
    return 0;
}

TEST(signal_bad)
{
    ant_ctx *ctx;

    CHECK_INT(ant_chan_new(&c, sizeof(int), 2), 0);
    CHECK_INT(ant_signal_notify(c, one, 1), ANT_ENOTRUNNING);
    CHECK_INT(ant_ctx_with_signals(&ctx, NULL, one, 1), ANT_ENOTRUNNING);
    ant_signal_stop(c);
    CHECK_INT(ant_run(run, NULL, &(ant_config){.dump_on_quit = true}), 0);
    CHECK_INT(ant_run(run_otherwise, NULL, &(ant_config){.preempt_signal = SIGUSR2}), 0);
    CHECK_INT(ant_chan_destroy(c), 0);
    return 0;
}
