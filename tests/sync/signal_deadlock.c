/* signal_deadlock - a program all of whose goroutines sleep is no deadlock while one of them waits
 * for a signal: on a channel, in a select, or until a context is done that descends from one for
 * signals. If signals are only asked for and nobody waits for them, it is one.
 *
 * Catches: a signal that is wanted and hides every deadlock; one whose waiter counts as dead. */
#include <sys/time.h>

#include "go_deadlock.h"

static const int one[] = {SIGALRM};

static int nobody_waits(void *arg)
{
    ant_chan *c, *other;
    ant_ctx *ctx, *child;

    ant_chan_new(&c, sizeof(int), 1);
    ant_chan_new(&other, 0, 0);
    ant_signal_notify(c, (int[]){SIGUSR1}, 1);
    ant_ctx_with_signals(&ctx, NULL, (int[]){SIGUSR1}, 1);
    ant_ctx_with_cancel(&child, ctx);
    ant_chan_recv(other, NULL);
    return 0;
}

static int after_signal(void *arg)
{
    ant_ctx *ctx;

    ant_ctx_with_signals(&ctx, NULL, (int[]){SIGUSR1}, 1);
    raise(SIGUSR1);
    ant_chan_recv(ant_ctx_done(ctx), NULL);
    wait_for_ever();
    return 0;
}

static void alarm_soon(void)
{
    setitimer(ITIMER_REAL, &(struct itimerval){.it_value.tv_usec = 100000}, NULL);
}

static int by_chan(void *arg)
{
    ant_chan *c;
    int signal = 0;

    CHECK_INT(ant_chan_new(&c, sizeof(int), 1), 0);
    CHECK_INT(ant_signal_notify(c, one, 1), 0);
    alarm_soon();
    CHECK(ant_chan_recv(c, &signal));
    ant_signal_stop(c);
    CHECK_INT(ant_chan_destroy(c), 0);
    return signal;
}

static int by_select(void *arg)
{
    ant_chan *c, *other;
    int signal = 0;
    ant_case cases[2];

    CHECK_INT(ant_chan_new(&c, sizeof(int), 1), 0);
    CHECK_INT(ant_chan_new(&other, 0, 0), 0);
    cases[0] = (ant_case)ANT_RECV(other, NULL);
    cases[1] = (ant_case)ANT_RECV(c, &signal);
    CHECK_INT(ant_signal_notify(c, one, 1), 0);
    alarm_soon();
    CHECK_INT(ant_select(cases, 2), 1);
    ant_signal_stop(c);
    CHECK_INT(ant_chan_destroy(c), 0);
    CHECK_INT(ant_chan_destroy(other), 0);
    return signal;
}

/* Far below: nearly as deep as is looked, and deeper. */
static int by_context(void *arg)
{
    enum { GENERATIONS = 150 };
    ant_ctx *line[GENERATIONS];
    ant_waitgroup never = {0};
    int n = *(int *)arg;

    CHECK_INT(ant_ctx_with_signals(&line[0], NULL, one, 1), 0);
    for (int i = 1; i < n; i++)
        CHECK_INT(ant_ctx_with_cancel(&line[i], line[i - 1]), 0);
    ant_waitgroup_add(&never, 1);
    alarm_soon();
    CHECK_INT(ant_waitgroup_wait_ctx(&never, line[n - 1]), ANT_ECANCELED);
    CHECK_INT(ant_ctx_cause(line[n - 1]), ANT_ESIGNAL);
    for (int i = 0; i < n; i++)
        ant_ctx_unref(line[i]);
    return SIGALRM;
}

TEST(signal_deadlock)
{
    expect_deadlock(nobody_waits, ALL_ASLEEP, "goroutine 1 [chan receive", NULL);
    expect_deadlock(after_signal, ALL_ASLEEP, NULL);
    if (TEST_TSAN) /* puts signals off that come to a thread that sleeps */
        return 0;
    CHECK_INT(ant_run(by_chan, NULL, NULL), SIGALRM);
    CHECK_INT(ant_run(by_select, NULL, NULL), SIGALRM);
    CHECK_INT(ant_run(by_context, &(int){1}, NULL), SIGALRM);
    CHECK_INT(ant_run(by_context, &(int){3}, NULL), SIGALRM);
    CHECK_INT(ant_run(by_context, &(int){150}, NULL), SIGALRM);
    return 0;
}
