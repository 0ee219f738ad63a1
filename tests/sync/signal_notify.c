/* signal_notify - signals come on the channels that want them, whichever thread they are sent to:
 * one signal on several channels, several on one, none on a full or closed channel, none after
 * ant_signal_stop. While nobody wants a signal it does what it did before.
 *
 * Catches: a handler that stays, or goes while somebody still wants its signal. */
#include <pthread.h>
#include <signal.h>

#include <anthill.h>

#include "check.h"

static const int one[] = {SIGUSR1}, two[] = {SIGUSR2}, both[] = {SIGUSR1, SIGUSR2};

static volatile sig_atomic_t handled;

static void count(int signal)
{
    handled++;
}

static ant_chan *new_chan(size_t capacity)
{
    ant_chan *c;

    CHECK_INT(ant_chan_new(&c, sizeof(int), capacity), 0);
    return c;
}

static int next(ant_chan *c)
{
    int signal;
    ANT_TIMEOUT(ctx, NULL, 20 * ANT_SECOND);

    CHECK_INT(ant_chan_recv_ctx(c, &signal, ctx), 0);
    return signal;
}

/* All that was sent before is delivered then, or dropped: the lowest number comes first. */
static void settle(void)
{
    static const int last[] = {SIGWINCH};
    ant_chan *c = new_chan(1);

    CHECK_INT(ant_signal_notify(c, last, 1), 0);
    CHECK_INT(raise(SIGWINCH), 0);
    CHECK_INT(next(c), SIGWINCH);
    ant_signal_stop(c);
    CHECK_INT(ant_chan_destroy(c), 0);
}

static void *raise_in_thread(void *arg)
{
    CHECK_INT(raise(*(int *)arg), 0);
    return NULL;
}

static void send_by_thread(int signal)
{
    pthread_t thread;

    CHECK_INT(pthread_create(&thread, NULL, raise_in_thread, &signal), 0);
    CHECK_INT(pthread_join(thread, NULL), 0);
}

static void check_several(void)
{
    ant_chan *a = new_chan(4), *b = new_chan(4);

    CHECK_INT(ant_signal_notify(a, both, 2), 0);
    CHECK_INT(ant_signal_notify(b, two, 1), 0);
    raise(SIGUSR1);
    CHECK_INT(next(a), SIGUSR1);
    send_by_thread(SIGUSR2);
    CHECK_INT(next(a), SIGUSR2);
    CHECK_INT(next(b), SIGUSR2);
    settle();
    CHECK_INT(ant_chan_len(a) + ant_chan_len(b), 0);
    ant_signal_stop(a);
    CHECK_INT(ant_signal_notify(b, one, 1), 0); /* adds to SIGUSR2 */
    raise(SIGUSR1);
    CHECK_INT(next(b), SIGUSR1);
    raise(SIGUSR2);
    CHECK_INT(next(b), SIGUSR2);
    CHECK_INT(ant_chan_len(a), 0);
    ant_signal_stop(b);
    CHECK_INT(handled, 0);
    CHECK_INT(ant_chan_destroy(a), 0);
    CHECK_INT(ant_chan_destroy(b), 0);
}

static void check_stopped(void)
{
    struct sigaction now;

    handled = 0;
    raise(SIGUSR1);
    CHECK_INT(handled, 1);
    CHECK_INT(sigaction(SIGWINCH, NULL, &now), 0);
    CHECK(now.sa_handler == SIG_DFL);
    handled = 0;
    ant_signal_stop(NULL);
}

static void check_full(void)
{
    ant_chan *full = new_chan(1), *none = new_chan(0), *closed = new_chan(1);

    CHECK_INT(ant_signal_notify(full, both, 2), 0);
    CHECK_INT(ant_signal_notify(none, both, 2), 0);
    CHECK_INT(ant_signal_notify(closed, both, 2), 0);
    ant_chan_close(closed);
    raise(SIGUSR1);
    settle();
    raise(SIGUSR2);
    settle();
    CHECK_INT(ant_chan_len(full), 1);
    CHECK_INT(next(full), SIGUSR1);
    CHECK(!ant_chan_recv(closed, NULL));
    ant_signal_stop(full);
    ant_signal_stop(none);
    ant_signal_stop(closed);
    CHECK_INT(ant_chan_destroy(full), 0);
    CHECK_INT(ant_chan_destroy(none), 0);
    CHECK_INT(ant_chan_destroy(closed), 0);
}

static void raise_until_done(void *ctx)
{
    while (ant_sleep_ctx(ANT_MILLISECOND, ctx) == 0)
        raise(SIGUSR1);
    ant_ctx_unref(ctx);
}

/* One without room takes a signal for which somebody waits. */
static void check_without_room(void)
{
    ant_chan *c = new_chan(0);
    ant_ctx *ctx;

    CHECK_INT(ant_signal_notify(c, one, 1), 0);
    CHECK_INT(ant_ctx_with_cancel(&ctx, NULL), 0);
    CHECK_INT(ant_go(raise_until_done, ant_ctx_ref(ctx)), 0);
    for (int i = 0; i < 3; i++)
        CHECK_INT(next(c), SIGUSR1);
    ant_ctx_cancel(ctx);
    while (ant_count() > (ant_id() ? 1 : 0)) /* it may raise one more */
        ant_sleep(100 * ANT_MICROSECOND);
    ant_ctx_unref(ctx);
    ant_signal_stop(c);
    CHECK_INT(ant_chan_destroy(c), 0);
}

/* None of these is lost in between. */
static void check_many(void)
{
    int n = test_scale(1000);
    ant_chan *c = new_chan((size_t)n);

    CHECK_INT(ant_signal_notify(c, one, 1), 0);
    for (int i = 0; i < n; i++)
        raise(SIGUSR1);
    for (int i = 0; i < n; i++)
        CHECK_INT(next(c), SIGUSR1);
    settle();
    CHECK_INT(ant_chan_len(c), 0);
    ant_signal_stop(c);
    CHECK_INT(ant_chan_destroy(c), 0);
}

/* A handler that was installed meanwhile stays. */
static void check_foreign_handler(void)
{
    struct sigaction now;
    ant_chan *c = new_chan(1);

    CHECK_INT(ant_signal_notify(c, one, 1), 0);
    signal(SIGUSR1, SIG_IGN);
    ant_signal_stop(c);
    CHECK_INT(sigaction(SIGUSR1, NULL, &now), 0);
    CHECK(now.sa_handler == SIG_IGN);
    signal(SIGUSR1, count);
    CHECK_INT(ant_chan_destroy(c), 0);
}

static int run(void *arg)
{
    signal(SIGUSR1, count);
    for (int i = 0; i < 2; i++) {
        check_several();
        check_stopped();
        check_full();
        check_stopped();
        check_without_room();
        check_many();
        check_stopped();
        check_foreign_handler();
    }
    return 0;
}

TEST(signal_notify)
{
    CHECK_INT(ant_run(run, NULL, NULL), 0);
    CHECK_INT(ant_start(NULL), 0); /* by a thread that is no goroutine */
    run(NULL);
    CHECK_INT(ant_stop(), 0);
    return 0;
}
