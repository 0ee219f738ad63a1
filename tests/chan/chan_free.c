/* chan_free - a channel may be freed as soon as nobody is in a call with it: right after a
 * select that waited on it has returned, whatever made it return; right after a wait was given
 * up with its context, which may be freed as well; by the last of those who use it. A thousand
 * rounds, so that a record left in a queue, or a late look at the channel, meets freed memory. */
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"

enum { LOSERS = 4 };

static ant_waitgroup wg, shared_left;

static ant_chan *new_chan(size_t capacity)
{
    ant_chan *c;

    CHECK_INT(ant_chan_new(&c, sizeof(int), capacity), 0);
    return c;
}

/* ---- those that a select did not choose ---- */

static void send_one(void *c)
{
    ant_chan_send(c, &(int){1});
    ant_waitgroup_done(&wg);
}

static void close_one(void *c)
{
    ant_chan_close(c);
    ant_waitgroup_done(&wg);
}

static void check_losers(bool by_close)
{
    ant_chan *winner = new_chan(0);
    ant_case cases[LOSERS + 1];
    int v;

    for (int i = 0; i < LOSERS; i++) {
        cases[i] = (ant_case)ANT_RECV(new_chan(0), &v);
        if (i % 2)
            cases[i].kind = ANT_CASE_SEND;
    }
    cases[LOSERS] = (ant_case)ANT_RECV(winner, &v);
    ant_waitgroup_add(&wg, 1);
    CHECK_INT(ant_go(by_close ? close_one : send_one, winner), 0);
    CHECK_INT(ant_select(cases, LOSERS + 1), LOSERS);
    for (int i = 0; i < LOSERS; i++)
        CHECK_INT(ant_chan_destroy(cases[i].chan), 0);
    ant_waitgroup_wait(&wg);
    CHECK_INT(ant_chan_destroy(winner), 0);
}

/* ---- waits that were given up ---- */

static void cancel(void *ctx)
{
    ant_ctx_cancel(ctx);
    ant_ctx_unref(ctx);
}

static void check_given_up(int i)
{
    ant_chan *c = new_chan(0);
    ant_ctx *ctx;
    int v = 0;

    if (i % 2) {
        CHECK_INT(ant_ctx_with_timeout(&ctx, NULL, i % 20 * ANT_MICROSECOND), 0);
    } else {
        CHECK_INT(ant_ctx_with_cancel(&ctx, NULL), 0);
        CHECK_INT(ant_go(cancel, ant_ctx_ref(ctx)), 0);
    }
    if (i % 4 < 2)
        CHECK_INT(ant_chan_recv_ctx(c, &v, ctx), i % 2 ? ANT_ETIMEOUT : ANT_ECANCELED);
    else
        CHECK_INT(ant_chan_send_ctx(c, &v, ctx), i % 2 ? ANT_ETIMEOUT : ANT_ECANCELED);
    ant_ctx_unref(ctx);
    CHECK_INT(ant_chan_destroy(c), 0);
}

/* ---- the last one frees ---- */

struct shared {
    ant_chan *c;
    atomic_int users;
};

static void quit(struct shared *s)
{
    if (atomic_fetch_sub(&s->users, 1) > 1)
        return;
    CHECK_INT(ant_chan_destroy(s->c), 0);
    free(s);
    ant_waitgroup_done(&shared_left);
}

static void sender(void *arg)
{
    struct shared *s = arg;

    ant_chan_send(s->c, &(int){1});
    quit(s);
}

static void receiver(void *arg)
{
    struct shared *s = arg;

    CHECK(ant_chan_recv(s->c, NULL));
    quit(s);
}

static void check_last(size_t capacity)
{
    struct shared *s = malloc(sizeof *s);

    CHECK(s);
    s->c = new_chan(capacity);
    atomic_init(&s->users, 6);
    ant_waitgroup_add(&shared_left, 1);
    for (int i = 0; i < 6; i++)
        CHECK_INT(ant_go(i % 2 ? sender : receiver, s), 0);
}

static int run(void *arg)
{
    int rounds = test_scale(1000);

    for (int i = 0; i < rounds; i++) {
        check_losers(i % 2);
        check_given_up(i);
        check_last((size_t)i % 3);
    }
    ant_waitgroup_wait(&shared_left);
    while (ant_count() > 1) /* contexts to cancel */
        ant_yield();
    return 0;
}

TEST(chan_free)
{
    return ant_run(run, NULL, NULL);
}
