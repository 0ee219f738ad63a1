/* ctx_timer_race - a deadline comes at the very moment its context, or the parent, is canceled, or
 * its last reference given back: it is done once, with one of the two errors, which it keeps, and
 * the memory goes once. */
#include <pthread.h>
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"

static ant_waitgroup wg;
static _Atomic(ant_ctx *) for_thread; /* with a reference */
static atomic_bool stop;

static void cancel_and_drop(void *ctx)
{
    int err;

    ant_ctx_cancel(ctx);
    err = ant_ctx_err(ctx);
    CHECK(err == ANT_ECANCELED || err == ANT_ETIMEOUT);
    CHECK_INT(ant_ctx_cause(ctx), err);
    ant_yield();
    CHECK_INT(ant_ctx_err(ctx), err);
    ant_ctx_unref(ctx);
    ant_waitgroup_done(&wg);
}

static void *helper(void *arg)
{
    while (!atomic_load(&stop)) {
        ant_ctx *ctx = atomic_exchange(&for_thread, NULL);

        if (ctx)
            cancel_and_drop(ctx);
        else
            ant_yield();
    }
    return NULL;
}

static void play(int i)
{
    ant_time deadline = ant_now() + (i % 50 + 1) * ANT_MICROSECOND;
    ant_ctx *parent, *ctx, *none = NULL;

    CHECK_INT(ant_ctx_with_cancel(&parent, NULL), 0);
    CHECK_INT(ant_ctx_with_deadline(&ctx, parent, deadline), 0);
    if (i & 1) { /* its deadline and its end meet */
        ant_waitgroup_add(&wg, 1);
        ant_ctx_ref(i & 2 ? ctx : parent);
        if (!atomic_compare_exchange_strong(&for_thread, &none, i & 2 ? ctx : parent))
            CHECK_INT(ant_go(cancel_and_drop, i & 2 ? ctx : parent), 0);
    }
    while (i & 4 && ant_now() < deadline)
        ant_yield();
    if (i & 8)
        ant_ctx_cancel(ctx);
    ant_ctx_unref(i & 16 ? ctx : parent);
    ant_ctx_unref(i & 16 ? parent : ctx);
    if (i % 4 == 3)
        ant_waitgroup_wait(&wg);
}

static int run(void *arg)
{
    pthread_t t;

    CHECK_INT(pthread_create(&t, NULL, helper, NULL), 0);
    for (int i = 0; i < test_scale(20000); i++)
        play(i);
    ant_waitgroup_wait(&wg);
    atomic_store(&stop, true);
    CHECK_INT(pthread_join(t, NULL), 0);
    while (ant_count() > 1) /* deadlines that are just coming */
        ant_yield();
    return 0;
}

TEST(ctx_timer_race)
{
    return ant_run(run, NULL, NULL);
}
