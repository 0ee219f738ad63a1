/* signal_ctx - a context that signals end: with its descendants, once, by the first of them. From
 * then on, or if it is done or given back before, the signals do what they did before. */
#include <signal.h>

#include <anthill.h>

#include "check.h"

static const int both[] = {SIGUSR1, SIGUSR2};

static volatile sig_atomic_t handled;

static void count(int signal)
{
    handled++;
}

static ant_ctx *new_ctx(ant_ctx *parent)
{
    ant_ctx *ctx;

    CHECK_INT(ant_ctx_with_signals(&ctx, parent, both, 2), 0);
    CHECK_INT(ant_ctx_err(ctx), 0);
    return ctx;
}

static void check_not_caught(void)
{
    handled = 0;
    raise(SIGUSR1);
    raise(SIGUSR2);
    CHECK_INT(handled, 2);
}

static void check_ends(ant_ctx *ctx)
{
    CHECK(!ant_chan_recv(ant_ctx_done(ctx), NULL));
    CHECK_INT(ant_ctx_err(ctx), ANT_ECANCELED);
    CHECK_INT(ant_ctx_cause(ctx), ANT_ESIGNAL);
}

static void check_signal(int signal)
{
    ant_ctx *ctx = new_ctx(NULL), *child;
    ANT_TIMEOUT(in_frame, ctx, ANT_HOUR);

    CHECK_INT(ant_ctx_with_cancel(&child, ctx), 0);
    handled = 0;
    raise(signal);
    check_ends(in_frame);
    check_ends(child);
    check_ends(ctx);
    CHECK_INT(handled, 0);
    check_not_caught();
    ant_ctx_unref(child);
    ant_ctx_unref(ctx);
}

/* Two contexts, of which one descends from the other, and a channel. */
static void check_several(void)
{
    ant_ctx *a = new_ctx(NULL), *b = new_ctx(a), *c = new_ctx(NULL);
    ant_chan *chan;
    int signal;

    CHECK_INT(ant_chan_new(&chan, sizeof(int), 1), 0);
    CHECK_INT(ant_signal_notify(chan, both, 2), 0);
    ant_ctx_cancel(c);
    raise(SIGUSR2);
    check_ends(a);
    check_ends(b);
    CHECK(ant_chan_recv(chan, &signal));
    CHECK_INT(signal, SIGUSR2);
    CHECK_INT(ant_ctx_cause(c), ANT_ECANCELED);
    raise(SIGUSR1); /* the channel wants it still */
    CHECK(ant_chan_recv(chan, &signal));
    CHECK_INT(signal, SIGUSR1);
    ant_signal_stop(chan);
    check_not_caught();
    CHECK_INT(ant_chan_destroy(chan), 0);
    ant_ctx_unref(c);
    ant_ctx_unref(b);
    ant_ctx_unref(a);
}

static void check_ended_otherwise(void)
{
    ant_ctx *parent, *ctx;

    ant_ctx_unref(new_ctx(NULL));
    check_not_caught();
    CHECK_INT(ant_ctx_with_cancel(&parent, NULL), 0);
    ctx = new_ctx(parent);
    ant_ctx_cancel(parent);
    CHECK_INT(ant_ctx_cause(ctx), ANT_ECANCELED);
    check_not_caught();
    ant_ctx_unref(ctx);
    CHECK_INT(ant_ctx_with_signals(&ctx, parent, both, 2), 0); /* done from the beginning */
    CHECK_INT(ant_ctx_err(ctx), ANT_ECANCELED);
    check_not_caught();
    ant_ctx_unref(ctx);
    ant_ctx_unref(parent);
}

static int run(void *arg)
{
    signal(SIGUSR1, count);
    signal(SIGUSR2, count);
    for (int i = 0; i < 3; i++) {
        check_signal(SIGUSR1);
        check_signal(SIGUSR2);
        check_several();
        check_ended_otherwise();
    }
    return 0;
}

TEST(signal_ctx)
{
    CHECK_INT(ant_run(run, NULL, NULL), 0);
    CHECK_INT(ant_start(NULL), 0);
    run(NULL);
    CHECK_INT(ant_stop(), 0);
    return 0;
}
