/* signal_stop - the runtime stops while signals are wanted, and while some come: the former
 * handlers are back, nothing is sent any more, and nothing is left behind. A context of before can
 * be canceled and given back. In the next run signals can be asked for anew. */
#include <errno.h>
#include <signal.h>
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"

static const int both[] = {SIGUSR1, SIGUSR2};

static atomic_int handled;
static ant_chan *chan;
static ant_ctx *kept;

static void count(int signal)
{
    handled++;
}

static void wait_for_signal(void *arg)
{
    raise(SIGUSR1);
    ant_chan_recv(ant_ctx_done(kept), NULL);
    raise(SIGUSR2);
}

static int ask_and_return(void *arg)
{
    CHECK_INT(ant_signal_notify(chan, both, 2), 0);
    CHECK_INT(ant_ctx_with_signals(&kept, NULL, both, 2), 0);
    for (int i = 0; i < 3; i++)
        CHECK_INT(ant_go(wait_for_signal, NULL), 0);
    ant_sleep(*(int *)arg * ANT_MICROSECOND);
    return 0;
}

static void cycle(int us)
{
    int signal;

    CHECK_INT(ant_chan_new(&chan, sizeof(int), 1), 0);
    CHECK_INT(ant_run(ask_and_return, &us, NULL), 0);
    handled = 0;
    raise(SIGUSR1);
    raise(SIGUSR2);
    CHECK_INT(handled, 2);
    ant_chan_try_recv(chan, &signal);
    CHECK_INT(ant_chan_try_recv(chan, &signal), -EAGAIN);
    ant_signal_stop(chan);
    CHECK_INT(ant_chan_destroy(chan), 0);
    ant_ctx_unref(kept);
}

/* In user code, until the handlers are back: while the stop waits for it. */
static void await_handlers(void *arg)
{
    struct sigaction now;

    ant_waitgroup_done(arg);
    do {
        usleep(1000);
        CHECK_INT(sigaction(SIGUSR2, NULL, &now), 0);
    } while (now.sa_handler != count);
    raise(SIGUSR2);
}

static void check_early(void)
{
    ant_waitgroup begun = {0};

    CHECK_INT(ant_chan_new(&chan, sizeof(int), 1), 0);
    CHECK_INT(ant_start(&(ant_config){.stop_timeout = ANT_MINUTE}), 0);
    CHECK_INT(ant_signal_notify(chan, both, 2), 0);
    ant_waitgroup_add(&begun, 1);
    handled = 0;
    CHECK_INT(ant_go(await_handlers, &begun), 0);
    ant_waitgroup_wait(&begun);
    CHECK_INT(ant_stop(), 0);
    CHECK_INT(handled, 1);
    CHECK_INT(ant_chan_destroy(chan), 0);
}

TEST(signal_stop)
{
    struct test_resources before;
    int n = test_scale_least(300, 20);

    signal(SIGUSR1, count);
    signal(SIGUSR2, count);
    check_early();
    cycle(100);
    before = test_resources_now();
    for (int i = 0; i < n; i++)
        cycle(i % 30 * 10);
    test_resources_check(&before, 300); /* libc keeps stacks of threads */
    return 0;
}
