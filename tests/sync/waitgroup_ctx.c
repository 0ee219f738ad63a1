/* waitgroup_ctx - waiting with a context: fails when that is done before, also if the counter is
 * zero; gives up when it is canceled, or its time is over, while waiting. The others go on waiting,
 * and each returns when the counter is zero: goroutines and threads, with and without a context, in
 * one group. */
#include <pthread.h>
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"

enum { WAITERS = 8 };

static ant_waitgroup wg;

static struct waiter {
    ant_ctx *ctx;
    bool plain; /* without a context, by the other call */
    bool is_thread;
    pthread_t thread;
    atomic_bool begun, returned;
    int err;
} waiters[WAITERS];

static void wait_and_tell(void *arg)
{
    struct waiter *w = arg;

    atomic_store(&w->begun, true);
    if (w->plain)
        ant_waitgroup_wait(&wg);
    else
        w->err = ant_waitgroup_wait_ctx(&wg, w->ctx);
    atomic_store(&w->returned, true);
}

static void *wait_in_thread(void *arg)
{
    wait_and_tell(arg);
    return NULL;
}

static void let_others_run(void)
{
    for (int i = 0; i < 20; i++)
        ant_yield();
}

static void start(struct waiter *w, ant_ctx *ctx, bool plain, bool is_thread)
{
    *w = (struct waiter){.ctx = ctx, .plain = plain, .is_thread = is_thread};
    if (is_thread)
        CHECK_INT(pthread_create(&w->thread, NULL, wait_in_thread, w), 0);
    else
        CHECK_INT(ant_go(wait_and_tell, w), 0);
    while (!atomic_load(&w->begun))
        ant_yield();
    let_others_run();
}

static void check_returns(struct waiter *w, int err)
{
    while (!atomic_load(&w->returned))
        ant_yield();
    if (w->is_thread)
        CHECK_INT(pthread_join(w->thread, NULL), 0);
    CHECK_INT(w->err, err);
}

static void done_before(void)
{
    ant_ctx *canceled, *late;

    CHECK_INT(ant_ctx_with_cancel(&canceled, NULL), 0);
    CHECK_INT(ant_waitgroup_wait_ctx(&wg, canceled), 0);
    CHECK_INT(ant_waitgroup_wait_ctx(&wg, NULL), 0);
    ant_ctx_cancel(canceled);
    CHECK_INT(ant_ctx_with_timeout(&late, NULL, 0), 0);
    for (int n = 0; n < 2; n++) {
        CHECK_INT(ant_waitgroup_wait_ctx(&wg, canceled), ANT_ECANCELED);
        CHECK_INT(ant_waitgroup_wait_ctx(&wg, late), ANT_ETIMEOUT);
        ant_waitgroup_add(&wg, n == 0 ? 1 : -1);
    }
    ant_ctx_unref(canceled);
    ant_ctx_unref(late);
}

/* Bit 0: threads too; bit 1: half of them are canceled; bit 2: the plain ones come first. */
static void many_kinds(int i)
{
    bool threads = i & 1, cancel = i & 2, plain_first = i & 4;
    ant_ctx *ctx, *other;

    CHECK_INT(ant_ctx_with_cancel(&ctx, NULL), 0);
    CHECK_INT(ant_ctx_with_timeout(&other, NULL, ANT_HOUR), 0);
    ant_waitgroup_add(&wg, 2);
    for (int k = 0; k < WAITERS; k++) {
        int at = plain_first ? k : WAITERS - 1 - k;

        start(&waiters[at], at % 2 ? ctx : other, at < WAITERS / 2, threads && at % 4 >= 2);
    }
    ant_waitgroup_done(&wg);
    if (cancel)
        ant_ctx_cancel(ctx);
    for (int k = WAITERS / 2 + 1; cancel && k < WAITERS; k += 2)
        check_returns(&waiters[k], ANT_ECANCELED);
    let_others_run();
    for (int k = 0; k < WAITERS; k++) {
        if (!cancel || k % 2 == 0 || k < WAITERS / 2)
            CHECK(!atomic_load(&waiters[k].returned));
    }
    ant_waitgroup_done(&wg);
    for (int k = 0; k < WAITERS; k++) {
        if (!cancel || k % 2 == 0 || k < WAITERS / 2)
            check_returns(&waiters[k], 0);
    }
    ant_ctx_unref(ctx);
    ant_ctx_unref(other);
}

static void late_while_waiting(void)
{
    ant_ctx *ctx;

    CHECK_INT(ant_ctx_with_timeout(&ctx, NULL, 100 * ANT_MICROSECOND), 0);
    ant_waitgroup_add(&wg, 1);
    CHECK_INT(ant_waitgroup_wait_ctx(&wg, ctx), ANT_ETIMEOUT);
    ant_waitgroup_done(&wg);
    CHECK_INT(ant_waitgroup_wait_ctx(&wg, NULL), 0);
    ant_ctx_unref(ctx);
}

static int run(void *arg)
{
    for (int i = 0; i < test_scale(80); i++) {
        done_before();
        many_kinds(i);
        late_while_waiting();
    }
    return 0;
}

TEST(waitgroup_ctx)
{
    CHECK_INT(ant_run(run, NULL, NULL), 0);
    CHECK_INT(ant_start(NULL), 0);
    run(NULL);
    CHECK_INT(ant_stop(), 0);
    return 0;
}
