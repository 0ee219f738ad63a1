/* signal_race - goroutines and threads ask for signals, on channels and by contexts, and stop it,
 * destroy the channels, cancel and give back the contexts, while signals come to all of them. In
 * the end nobody wants any.
 *
 * Catches: a delivery to a channel or a context that is gone. */
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"

enum { GOROUTINES = 20, THREADS = 3 };

static const int both[] = {SIGUSR1, SIGUSR2};

static atomic_bool over;
static ant_waitgroup all;
static ant_ctx *root;

static void with_chan(int i)
{
    ant_chan *c;

    CHECK_INT(ant_chan_new(&c, sizeof(int), (size_t)(i % 3)), 0);
    CHECK_INT(ant_signal_notify(c, both, 1 + (i & 1)), 0);
    raise(SIGUSR1);
    if (i & 4) {
        ANT_TIMEOUT(ctx, root, 100 * ANT_MICROSECOND);
        ant_chan_recv_ctx(c, NULL, ctx);
    }
    ant_signal_stop(c);
    CHECK_INT(ant_chan_destroy(c), 0);
}

static void with_ctx(int i)
{
    ant_ctx *ctx, *child;

    CHECK_INT(ant_ctx_with_signals(&ctx, i & 2 ? root : NULL, both, 2), 0);
    CHECK_INT(ant_ctx_with_cancel(&child, ctx), 0);
    if (i & 1)
        raise(SIGUSR2);
    else
        ant_ctx_cancel(ctx);
    if (i & 4)
        ant_chan_recv(ant_ctx_done(child), NULL);
    ant_ctx_unref(ctx);
    ant_ctx_unref(child);
}

static void *work(void *arg)
{
    for (int i = (int)(intptr_t)arg; !atomic_load(&over); i++) {
        with_chan(i);
        with_ctx(i);
    }
    return NULL;
}

static void work_in_goroutine(void *arg)
{
    work(arg);
    ant_waitgroup_done(&all);
}

static int run(void *arg)
{
    pthread_t threads[THREADS];
    struct sigaction now;

    CHECK_INT(ant_ctx_with_cancel(&root, NULL), 0);
    ant_waitgroup_add(&all, GOROUTINES);
    for (int i = 0; i < GOROUTINES; i++)
        CHECK_INT(ant_go(work_in_goroutine, (void *)(intptr_t)i), 0);
    for (int i = 0; i < THREADS; i++)
        CHECK_INT(pthread_create(&threads[i], NULL, work, (void *)(intptr_t)(100 + i)), 0);
    ant_sleep((ant_duration)(torture_seconds(0.5) * ANT_SECOND));
    atomic_store(&over, true);
    ant_waitgroup_wait(&all);
    for (int i = 0; i < THREADS; i++)
        CHECK_INT(pthread_join(threads[i], NULL), 0);
    ant_ctx_unref(root);
    for (int i = 0; i < 2; i++) {
        CHECK_INT(sigaction(both[i], NULL, &now), 0);
        CHECK(now.sa_handler == SIG_IGN);
    }
    return 0;
}

TEST(signal_race)
{
    signal(SIGUSR1, SIG_IGN);
    signal(SIGUSR2, SIG_IGN);
    return ant_run(run, NULL, NULL);
}
