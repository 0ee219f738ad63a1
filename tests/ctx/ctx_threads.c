/* ctx_threads - plain threads make, wait with, cancel and give back contexts: among themselves
 * without a runtime, and together with goroutines. */
#include <pthread.h>

#include <anthill.h>

#include "check.h"

enum { WAITERS = 4 };

static ant_waitgroup begun, wg;

static void wait_until_done(void *ctx)
{
    ant_waitgroup_done(&begun);
    CHECK(!ant_chan_recv(ant_ctx_done(ctx), NULL));
    CHECK_INT(ant_ctx_err(ctx), ANT_ECANCELED);
    ant_ctx_unref(ctx);
    ant_waitgroup_done(&wg);
}

static void *wait_in_thread(void *ctx)
{
    wait_until_done(ctx);
    return NULL;
}

static void cancel(void *ctx)
{
    ant_ctx_cancel(ctx);
    ant_ctx_unref(ctx);
    ant_waitgroup_done(&wg);
}

static void *cancel_in_thread(void *ctx)
{
    cancel(ctx);
    return NULL;
}

static void play(bool with_goroutines, bool by_thread)
{
    pthread_t threads[WAITERS + 1];
    ant_ctx *parent, *child;

    CHECK_INT(ant_ctx_with_cancel(&parent, NULL), 0);
    ant_waitgroup_add(&begun, WAITERS * (1 + with_goroutines));
    ant_waitgroup_add(&wg, WAITERS * (1 + with_goroutines) + 1);
    for (int i = 0; i < WAITERS; i++) {
        CHECK_INT(ant_ctx_with_cancel(&child, parent), 0);
        CHECK_INT(pthread_create(&threads[i], NULL, wait_in_thread, child), 0);
        if (with_goroutines)
            CHECK_INT(ant_go(wait_until_done, ant_ctx_ref(i % 2 ? child : parent)), 0);
    }
    ant_waitgroup_wait(&begun);
    if (by_thread)
        CHECK_INT(pthread_create(&threads[WAITERS], NULL, cancel_in_thread, parent), 0);
    else
        cancel(parent);
    ant_waitgroup_wait(&wg);
    for (int i = 0; i < WAITERS + by_thread; i++)
        CHECK_INT(pthread_join(threads[i], NULL), 0);
}

static int run(void *arg)
{
    for (int i = 0; i < test_scale(200); i++)
        play(arg != NULL, i % 2);
    return 0;
}

TEST(ctx_threads)
{
    run(NULL);
    CHECK_INT(ant_run(run, &wg, NULL), 0);
    CHECK_INT(ant_start(NULL), 0);
    run(&wg);
    CHECK_INT(ant_stop(), 0);
    return 0;
}
