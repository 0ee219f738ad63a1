/* api_sleep_ctx - ant_sleep_ctx sleeps at least as long as told, or until its context is done,
 * which it then tells, also if it had not to sleep at all; in goroutines and in plain threads,
 * inside of the runtime and, with a context that is never done, outside. */
#include <pthread.h>

#include <anthill.h>

#include "check.h"

static ant_waitgroup wg;

static void check_sleeps(ant_ctx *ctx)
{
    ant_time start = ant_now();

    CHECK_INT(ant_sleep_ctx(0, ctx), 0);
    CHECK_INT(ant_sleep_ctx(-ANT_HOUR, ctx), 0);
    CHECK_INT(ant_sleep_ctx(2 * ANT_MILLISECOND, ctx), 0);
    CHECK(ant_now() - start >= 2 * ANT_MILLISECOND);
    CHECK_INT(ant_sleep_ctx(1, ctx), 0);
}

static void check_done(ant_ctx *ctx, int err)
{
    CHECK_INT(ant_sleep_ctx(ANT_HOUR, ctx), err);
    CHECK_INT(ant_sleep_ctx(0, ctx), err);
    CHECK_INT(ant_sleep_ctx(-1, ctx), err);
}

static void check_timeout(void)
{
    ant_time start = ant_now();
    ant_ctx *ctx, *child;

    CHECK_INT(ant_ctx_with_timeout(&ctx, NULL, 2 * ANT_MILLISECOND), 0);
    CHECK_INT(ant_ctx_with_cancel(&child, ctx), 0);
    CHECK_INT(ant_sleep_ctx(ANT_HOUR, child), ANT_ETIMEOUT);
    CHECK(ant_now() - start >= 2 * ANT_MILLISECOND);
    check_done(ctx, ANT_ETIMEOUT);
    ant_ctx_unref(child);
    ant_ctx_unref(ctx);
}

static void *check_in_thread(void *ctx)
{
    check_sleeps(NULL);
    check_sleeps(ctx);
    check_timeout();
    ant_waitgroup_done(&wg);
    return NULL;
}

/* ---- canceled while asleep ---- */

static void sleep_long(void *ctx)
{
    CHECK_INT(ant_sleep_ctx(ANT_HOUR, ctx), ANT_ECANCELED);
    ant_waitgroup_done(&wg);
}

static void *sleep_in_thread(void *ctx)
{
    sleep_long(ctx);
    return NULL;
}

static void check_cancel(void)
{
    pthread_t thread;
    ant_ctx *ctx;

    CHECK_INT(ant_ctx_with_cancel(&ctx, NULL), 0);
    ant_waitgroup_add(&wg, 9);
    CHECK_INT(pthread_create(&thread, NULL, sleep_in_thread, ctx), 0);
    for (int i = 0; i < 8; i++)
        CHECK_INT(ant_go(sleep_long, ctx), 0);
    for (int i = 0; i < 20; i++)
        ant_yield();
    ant_ctx_cancel(ctx);
    ant_waitgroup_wait(&wg);
    CHECK_INT(pthread_join(thread, NULL), 0);
    check_done(ctx, ANT_ECANCELED);
    ant_ctx_unref(ctx);
}

static int run(void *arg)
{
    pthread_t thread;
    ant_ctx *ctx;

    CHECK_INT(ant_ctx_with_cancel(&ctx, NULL), 0);
    check_sleeps(NULL);
    check_sleeps(ctx);
    check_timeout();
    ant_waitgroup_add(&wg, 1);
    CHECK_INT(pthread_create(&thread, NULL, check_in_thread, ctx), 0);
    ant_waitgroup_wait(&wg);
    CHECK_INT(pthread_join(thread, NULL), 0);
    for (int i = test_scale(100); i > 0; i--)
        check_cancel();
    ant_ctx_unref(ctx);
    return 0;
}

TEST(api_sleep_ctx)
{
    ant_ctx *ctx;

    CHECK_INT(ant_ctx_with_cancel(&ctx, NULL), 0);
    check_sleeps(NULL);
    CHECK_INT(ant_sleep_ctx(1, ctx), ANT_ENOTRUNNING);
    CHECK_INT(ant_run(run, NULL, NULL), 0);
    ant_ctx_cancel(ctx);
    check_done(ctx, ANT_ECANCELED);
    ant_ctx_unref(ctx);
    return 0;
}
