/* select_ctx - ant_select_ctx, ant_chan_send_ctx and ant_chan_recv_ctx: if the context is done
 * they say so and do nothing, whatever else is possible; if it is done while they wait, by a
 * cancel, a parent's cancel or a timeout, they give up, and the channels are free; without
 * context, or with one that is never done, they are like the plain ones. */
#include <errno.h>
#include <pthread.h>

#include <anthill.h>

#include "check.h"

static ant_chan *c;
static ant_waitgroup wg;

/* ---- done before ---- */

static void check_does_nothing(ant_ctx *ctx, int err)
{
    ant_case recv[] = {ANT_RECV(c, NULL)};
    ant_case send[] = {ANT_SEND(c, &(int){2}), ANT_DEFAULT};
    size_t len = ant_chan_len(c);
    int v = 7;

    CHECK_INT(ant_chan_recv_ctx(c, &v, ctx), err);
    CHECK_INT(v, 7);
    CHECK_INT(ant_chan_send_ctx(c, &v, ctx), err);
    CHECK_INT(ant_select_ctx(recv, 1, ctx), err);
    CHECK_INT(ant_select_ctx(send, 2, ctx), err);
    CHECK_INT(ant_select_ctx(NULL, 0, ctx), err);
    CHECK_INT(ant_chan_recv_ctx(NULL, &v, ctx), err);
    CHECK_INT(ant_chan_send_ctx(NULL, &v, ctx), err);
    CHECK_INT(ant_chan_len(c), len);
}

static void check_done_before(void)
{
    ant_ctx *canceled, *late, *child, *value;
    int v = 1;

    CHECK_INT(ant_ctx_with_cancel(&canceled, NULL), 0);
    CHECK_INT(ant_ctx_with_cancel(&child, canceled), 0);
    CHECK_INT(ant_ctx_with_value(&value, canceled, &v, &v), 0);
    ant_ctx_cancel(canceled);
    CHECK_INT(ant_ctx_with_timeout(&late, NULL, 0), 0);
    CHECK_INT(ant_chan_new(&c, sizeof v, 2), 0);
    ant_chan_send(c, &v); /* now both is possible */
    for (int i = 0; i < 50; i++) {
        check_does_nothing(canceled, ANT_ECANCELED);
        check_does_nothing(child, ANT_ECANCELED);
        check_does_nothing(value, ANT_ECANCELED);
        check_does_nothing(late, ANT_ETIMEOUT);
    }
    ant_chan_close(c);
    check_does_nothing(late, ANT_ETIMEOUT); /* also no panic */
    CHECK_INT(ant_chan_destroy(c), 0);
    ant_ctx_unref(canceled);
    ant_ctx_unref(child);
    ant_ctx_unref(value);
    ant_ctx_unref(late);
}

/* ---- never done ---- */

static void select_send_on_closed(void *ctx)
{
    ant_case cases[] = {ANT_SEND(c, &(int){1})};

    ant_select_ctx(cases, 1, ctx);
}

static void check_not_done(ant_ctx *ctx)
{
    int v = 5, got = 0;
    ant_case send[] = {ANT_DEFAULT, ANT_SEND(c, &v)}, recv[] = {ANT_RECV(c, &got), ANT_DEFAULT};

    CHECK_INT(ant_chan_new(&c, sizeof v, 1), 0);
    send[1].chan = recv[0].chan = c;
    CHECK_INT(ant_select_ctx(recv, 2, ctx), 1);
    CHECK_INT(ant_chan_send_ctx(c, &v, ctx), 0);
    CHECK_INT(ant_select_ctx(send, 2, ctx), 0);
    CHECK_INT(ant_chan_recv_ctx(c, &got, ctx), 0);
    CHECK_INT(got, 5);
    CHECK_INT(ant_select_ctx(send, 2, ctx), 1);
    got = 0;
    CHECK_INT(ant_select_ctx(recv, 2, ctx), 0);
    CHECK(recv[0].received);
    CHECK_INT(got, 5);
    ant_chan_close(c);
    CHECK_INT(ant_chan_send_ctx(c, &v, ctx), ANT_ECLOSED);
    CHECK_INT(ant_chan_recv_ctx(c, &got, ctx), ANT_ECLOSED);
    CHECK_INT(got, 0);
    CHECK_INT(ant_select_ctx(recv, 2, ctx), 0);
    CHECK(!recv[0].received);
    CHECK_INT(ant_try(select_send_on_closed, ctx, NULL), ANT_EPANIC);
    CHECK_INT(ant_chan_destroy(c), 0);
}

static void check_never_done(void)
{
    ant_ctx *live, *value, *without;

    CHECK_INT(ant_ctx_with_cancel(&live, NULL), 0);
    CHECK_INT(ant_ctx_with_value(&value, NULL, &c, &c), 0);
    CHECK_INT(ant_ctx_without_cancel(&without, live), 0);
    check_not_done(NULL);
    check_not_done(live);
    check_not_done(value);
    ant_ctx_cancel(live);
    check_not_done(without);
    ant_ctx_unref(live);
    ant_ctx_unref(value);
    ant_ctx_unref(without);
}

/* ---- done while they wait: all forms, goroutines and threads ---- */

struct waiter {
    ant_ctx *ctx;
    int form, expected;
};

static void wait_with_ctx(void *arg)
{
    struct waiter w = *(struct waiter *)arg;
    int v = 3, err;
    ant_case cases[] = {ANT_RECV(c, &v), ANT_RECV(c, NULL), ANT_RECV(NULL, NULL)};

    switch (w.form % 4) {
    case 0:
        err = ant_chan_recv_ctx(c, &v, w.ctx);
        break;
    case 1:
        err = ant_chan_recv_ctx(NULL, &v, w.ctx);
        break;
    case 2:
        err = ant_select_ctx(cases, 3, w.ctx);
        break;
    default:
        err = ant_select_ctx(NULL, 0, w.ctx);
    }
    CHECK_INT(err, w.expected);
    CHECK_INT(v, 3);
    ant_waitgroup_done(&wg);
}

static void send_with_ctx(void *arg)
{
    struct waiter w = *(struct waiter *)arg;
    ant_case cases[] = {ANT_SEND(c, &(int){1}), ANT_SEND(NULL, NULL)};

    if (w.form % 2)
        CHECK_INT(ant_chan_send_ctx(c, &(int){1}, w.ctx), w.expected);
    else
        CHECK_INT(ant_select_ctx(cases, 2, w.ctx), w.expected);
    ant_waitgroup_done(&wg);
}

static void *wait_in_thread(void *arg)
{
    wait_with_ctx(arg);
    return NULL;
}

static void *send_in_thread(void *arg)
{
    send_with_ctx(arg);
    return NULL;
}

/* With a capacity: senders, and the channel is full. end(): makes ctx done. */
static void check_gives_up(ant_ctx *ctx, int err, size_t capacity, void end(ant_ctx *))
{
    pthread_t thread;
    struct waiter w = {ctx, 0, err};

    CHECK_INT(ant_chan_new(&c, sizeof(int), capacity), 0);
    if (capacity > 0)
        ant_chan_send(c, &(int){9});
    ant_waitgroup_add(&wg, 9);
    CHECK_INT(pthread_create(&thread, NULL, capacity ? send_in_thread : wait_in_thread, &w), 0);
    for (int i = 0; i < 8; i++) {
        struct waiter one = {ctx, i, err};

        CHECK_INT(ant_go_copy(capacity ? send_with_ctx : wait_with_ctx, &one, sizeof one), 0);
    }
    for (int i = 0; i < 20; i++)
        ant_yield();
    if (end)
        end(ctx);
    ant_waitgroup_wait(&wg);
    CHECK_INT(pthread_join(thread, NULL), 0);
    CHECK_INT(ant_chan_len(c), capacity);
    CHECK_INT(ant_chan_destroy(c), 0);
}

static void check_done_during(size_t capacity)
{
    ant_time before = ant_now();
    ant_ctx *ctx, *child;

    CHECK_INT(ant_ctx_with_cancel(&ctx, NULL), 0);
    check_gives_up(ctx, ANT_ECANCELED, capacity, ant_ctx_cancel);
    ant_ctx_unref(ctx);
    CHECK_INT(ant_ctx_with_timeout(&ctx, NULL, 2 * ANT_MILLISECOND), 0);
    check_gives_up(ctx, ANT_ETIMEOUT, capacity, NULL);
    CHECK(ant_now() - before >= 2 * ANT_MILLISECOND);
    ant_ctx_unref(ctx);
    CHECK_INT(ant_ctx_with_timeout(&ctx, NULL, ANT_MILLISECOND), 0);
    CHECK_INT(ant_ctx_with_timeout(&child, ctx, ANT_HOUR), 0);
    check_gives_up(child, ANT_ETIMEOUT, capacity, NULL); /* its parent's time */
    ant_ctx_unref(child);
    ant_ctx_unref(ctx);
}

static int run(void *arg)
{
    int rounds = test_scale(50);

    check_done_before();
    check_never_done();
    for (int i = 0; i < rounds; i++) {
        check_done_during(0);
        check_done_during(1);
    }
    return 0;
}

TEST(select_ctx)
{
    return ant_run(run, NULL, NULL);
}
