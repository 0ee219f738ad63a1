/* ctx_select - the done channel in a select, among cases that are possible and cases that are not;
 * the error is there by the time the channel is closed. Whatever waits with a context is woken by
 * it: select, send, receive and sleep. */
#include <errno.h>

#include <anthill.h>

#include "check.h"

static ant_waitgroup begun, back;
static ant_chan *never, *nor_this; /* one nobody sends on, one nobody receives from */

static void in_select(void *ctx)
{
    ant_case cases[] = {ANT_RECV(never, NULL), ANT_RECV(ant_ctx_done(ctx), NULL)};

    ant_waitgroup_done(&begun);
    CHECK_INT(ant_select(cases, 2), 1);
    CHECK(!cases[1].received);
    CHECK_INT(ant_ctx_err(ctx), ANT_ECANCELED);
    CHECK_INT(ant_ctx_cause(ctx), -EIO);
    ant_waitgroup_done(&back);
}

static void in_select_ctx(void *ctx)
{
    ant_case one = ANT_SEND(nor_this, NULL);

    ant_waitgroup_done(&begun);
    CHECK_INT(ant_select_ctx(&one, 1, ctx), ANT_ECANCELED);
    ant_waitgroup_done(&back);
}

static void in_recv(void *ctx)
{
    ant_waitgroup_done(&begun);
    CHECK_INT(ant_chan_recv_ctx(never, NULL, ctx), ANT_ECANCELED);
    ant_waitgroup_done(&back);
}

static void in_done(void *ctx)
{
    ant_waitgroup_done(&begun);
    CHECK(!ant_chan_recv(ant_ctx_done(ctx), NULL));
    CHECK_INT(ant_ctx_err(ctx), ANT_ECANCELED);
    ant_waitgroup_done(&back);
}

static void in_sleep(void *ctx)
{
    ant_waitgroup_done(&begun);
    CHECK_INT(ant_sleep_ctx(ANT_HOUR, ctx), ANT_ECANCELED);
    ant_waitgroup_done(&back);
}

/* They wait with a context, with a value made from it, and with its child. */
static void all_are_woken(int yields)
{
    static void (*const fns[])(void *) = {in_select, in_select_ctx, in_recv, in_done, in_sleep};
    ant_ctx *ctxs[3];

    CHECK_INT(ant_ctx_with_cancel(&ctxs[0], NULL), 0);
    CHECK_INT(ant_ctx_with_value(&ctxs[1], ctxs[0], &never, NULL), 0);
    CHECK_INT(ant_ctx_with_cancel(&ctxs[2], ctxs[1]), 0);
    ant_waitgroup_add(&begun, 15);
    ant_waitgroup_add(&back, 15);
    for (int i = 0; i < 15; i++)
        CHECK_INT(ant_go(fns[i % 5], ctxs[i / 5]), 0);
    ant_waitgroup_wait(&begun);
    for (int i = 0; i < yields; i++)
        ant_yield();
    ant_ctx_cancel_cause(ctxs[0], -EIO);
    ant_waitgroup_wait(&back);
    for (int i = 0; i < 3; i++)
        ant_ctx_unref(ctxs[i]);
}

static void done_before(void)
{
    ant_case cases[] = {ANT_RECV(never, NULL), ANT_RECV(NULL, NULL), ANT_DEFAULT};
    ant_ctx *ctx;

    CHECK_INT(ant_ctx_with_cancel(&ctx, NULL), 0);
    cases[1].chan = ant_ctx_done(ctx);
    CHECK_INT(ant_select(cases, 3), 2);
    ant_ctx_cancel(ctx);
    for (int i = 0; i < 10; i++)
        CHECK_INT(ant_select(cases, 3), 1);
    CHECK_INT(ant_select_ctx(cases, 3, ctx), ANT_ECANCELED);
    CHECK_INT(ant_sleep_ctx(0, ctx), ANT_ECANCELED);
    CHECK_INT(ant_chan_recv_ctx(never, NULL, ctx), ANT_ECANCELED);
    CHECK_INT(ant_chan_send_ctx(never, NULL, ctx), ANT_ECANCELED);
    ant_ctx_unref(ctx);
}

static int run(void *arg)
{
    CHECK_INT(ant_chan_new(&never, 0, 0), 0);
    CHECK_INT(ant_chan_new(&nor_this, 0, 0), 0);
    for (int i = 0; i < test_scale(500); i++) {
        all_are_woken(i % 20);
        done_before();
    }
    CHECK_INT(ant_chan_destroy(never), 0);
    CHECK_INT(ant_chan_destroy(nor_this), 0);
    return 0;
}

TEST(ctx_select)
{
    return ant_run(run, NULL, NULL);
}
