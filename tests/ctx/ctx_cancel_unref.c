/* ctx_cancel_unref - who is woken by a cancel may give the last reference back at once, while the cancel
 * is still going on: a goroutine that waits for it, or a thread that looks whether it is done.
 *
 * Catches: a cancel that touches the context after others may have seen that it is done. (The chaos build
 * finds it: the others hardly ever are so quick.) */
#include <pthread.h>
#include <sched.h>

#include <anthill.h>

#include "check.h"

static ant_chan *contexts; /* to the thread */
static ant_waitgroup wg;

/* The only reference is the one that it is given. */
static void wait_and_unref(void *arg)
{
    ant_chan_recv(ant_ctx_done(arg), NULL);
    ant_ctx_unref(arg);
    ant_waitgroup_done(&wg);
}

/* The thread looks instead of waiting: so it sees the cancel as early as can be. */
static void *unref_all(void *arg)
{
    ant_ctx *ctx;

    while (ant_chan_recv(contexts, &ctx)) {
        while (!ant_ctx_err(ctx))
            sched_yield();
        ant_ctx_unref(ctx);
        ant_waitgroup_done(&wg);
    }
    return NULL;
}

static void play(int round)
{
    bool in_thread = round % 4 < 3;
    ant_ctx *ctx;

    if (round % 2)
        CHECK_INT(ant_ctx_with_timeout(&ctx, NULL, ANT_HOUR), 0);
    else
        CHECK_INT(ant_ctx_with_cancel(&ctx, NULL), 0);
    ant_waitgroup_add(&wg, 1);
    if (in_thread)
        ant_chan_send(contexts, &ctx);
    else
        CHECK_INT(ant_go(wait_and_unref, ctx), 0);
    ant_yield();
    if (in_thread && round % 8 == 0)
        usleep(50); /* the thread looks by now */
    ant_ctx_cancel(ctx);
    ant_waitgroup_wait(&wg);
}

static void play_all(void *arg)
{
    for (int i = 0; i < test_scale_least(20000, 500); i++)
        play(i);
    ant_waitgroup_done(arg);
}

TEST(ctx_cancel_unref)
{
    ant_waitgroup played = {0};
    pthread_t thread;

    CHECK_INT(ant_start(NULL), 0);
    CHECK_INT(ant_chan_new(&contexts, sizeof(ant_ctx *), 0), 0);
    CHECK_INT(pthread_create(&thread, NULL, unref_all, NULL), 0);
    ant_waitgroup_add(&played, 1);
    CHECK_INT(ant_go(play_all, &played), 0);
    ant_waitgroup_wait(&played);
    ant_chan_close(contexts);
    CHECK_INT(pthread_join(thread, NULL), 0);
    ant_chan_destroy(contexts);
    return ant_stop();
}
