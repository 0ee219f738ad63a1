/* chan_forms - every form of sending meets every form of receiving: plain, by trying, by select,
 * with a context, with the element kept or dropped; over channels without and with a buffer. As
 * Go's select7. */
#include <errno.h>

#include <anthill.h>

#include "check.h"

typedef bool form(ant_chan *c, int *elem);

static ant_ctx *ctx;

/* ---- forms of sending ---- */

static bool send_plain(ant_chan *c, int *elem)
{
    ant_chan_send(c, elem);
    return true;
}

static bool send_try(ant_chan *c, int *elem)
{
    while (ant_chan_try_send(c, elem) == -EAGAIN)
        ant_yield();
    return true;
}

static bool send_ctx(ant_chan *c, int *elem)
{
    CHECK_INT(ant_chan_send_ctx(c, elem, ctx), 0);
    return true;
}

static bool send_select(ant_chan *c, int *elem)
{
    ant_case cases[] = {ANT_SEND(c, elem), ANT_RECV(ant_ctx_done(ctx), NULL)};

    CHECK_INT(ant_select(cases, 2), 0);
    return true;
}

static bool send_select_one(ant_chan *c, int *elem)
{
    ant_case one = ANT_SEND(c, elem);

    CHECK_INT(ant_select(&one, 1), 0);
    return true;
}

static bool send_select_default(ant_chan *c, int *elem)
{
    ant_case cases[] = {ANT_DEFAULT, ANT_SEND(c, elem)};

    while (ant_select(cases, 2) == 0)
        ant_yield();
    return true;
}

static bool send_select_ctx(ant_chan *c, int *elem)
{
    ant_case cases[] = {ANT_SEND(c, elem), ANT_SEND(NULL, elem)};

    CHECK_INT(ant_select_ctx(cases, 2, ctx), 0);
    return true;
}

/* ---- forms of receiving; elem may be NULL ---- */

static bool recv_plain(ant_chan *c, int *elem)
{
    return ant_chan_recv(c, elem);
}

static bool recv_try(ant_chan *c, int *elem)
{
    int err;

    while ((err = ant_chan_try_recv(c, elem)) == -EAGAIN)
        ant_yield();
    CHECK(err == 0 || err == ANT_ECLOSED);
    return err == 0;
}

static bool recv_ctx(ant_chan *c, int *elem)
{
    int err = ant_chan_recv_ctx(c, elem, ctx);

    CHECK(err == 0 || err == ANT_ECLOSED);
    return err == 0;
}

static bool recv_select(ant_chan *c, int *elem)
{
    ant_case cases[] = {ANT_RECV(ant_ctx_done(ctx), NULL), ANT_RECV(c, elem)};

    CHECK_INT(ant_select(cases, 2), 1);
    return cases[1].received;
}

static bool recv_select_one(ant_chan *c, int *elem)
{
    ant_case one = ANT_RECV(c, elem);

    CHECK_INT(ant_select(&one, 1), 0);
    return one.received;
}

static bool recv_select_default(ant_chan *c, int *elem)
{
    ant_case cases[] = {ANT_RECV(c, elem), ANT_DEFAULT};

    while (ant_select(cases, 2) == 1)
        ant_yield();
    return cases[0].received;
}

static bool recv_select_ctx(ant_chan *c, int *elem)
{
    ant_case one = ANT_RECV(c, elem);

    CHECK_INT(ant_select_ctx(&one, 1, ctx), 0);
    return one.received;
}

/* ---- */

struct way {
    form *send, *recv;
    bool polls;
};

static const struct way ways[] = {
    {send_plain, recv_plain, false},
    {send_ctx, recv_ctx, false},
    {send_select_one, recv_select_one, false},
    {send_select, recv_select, false},
    {send_select_ctx, recv_select_ctx, false},
    {send_try, recv_try, true},
    {send_select_default, recv_select_default, true},
};
enum { WAYS = sizeof ways / sizeof ways[0] };

struct job {
    form *send;
    ant_chan *c;
};

static int each;
static ant_waitgroup wg;

static void send_all(void *arg)
{
    struct job job = *(struct job *)arg;

    for (int i = 0; i < each; i++)
        CHECK(job.send(job.c, &i));
    ant_chan_close(job.c);
    ant_waitgroup_done(&wg);
}

static void check(form *send, form *recv, size_t capacity)
{
    struct job job = {.send = send};
    int v;

    CHECK_INT(ant_chan_new(&job.c, sizeof v, capacity), 0);
    ant_waitgroup_add(&wg, 1);
    CHECK_INT(ant_go_copy(send_all, &job, sizeof job), 0);
    for (int i = 0; i < each; i++) {
        v = -1;
        CHECK(recv(job.c, i % 3 ? &v : NULL));
        CHECK_INT(v, i % 3 ? i : -1);
    }
    CHECK(!recv(job.c, &v));
    CHECK_INT(v, 0);
    ant_waitgroup_wait(&wg);
    CHECK_INT(ant_chan_destroy(job.c), 0);
}

static int run(void *arg)
{
    each = test_scale(1000);
    CHECK_INT(ant_ctx_with_cancel(&ctx, NULL), 0);
    for (const struct way *w = ways; w < ways + WAYS; w++) {
        for (const struct way *x = ways; x < ways + WAYS; x++) {
            /* two that poll never meet without a buffer */
            for (size_t capacity = w->polls && x->polls; capacity < 3; capacity++)
                check(w->send, x->recv, capacity);
        }
    }
    ant_ctx_unref(ctx);
    return 0;
}

TEST(chan_forms)
{
    return ant_run(run, NULL, NULL);
}
