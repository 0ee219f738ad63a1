/* select_ctx_race - a send or receive that races with the end of its context is either done or
 * not, and both sides agree: what was not received is still there, what was not sent is not
 * received. And if the context was done before the other side came, nothing is handed over. */
#include <errno.h>
#include <pthread.h>

#include <anthill.h>

#include "check.h"

enum form { RECV, SEND, SELECT_RECV, SELECT_SEND, FORMS };

struct turn {
    ant_ctx *ctx;
    enum form form;
};

static ant_chan *c, *turns, *results;

static int act(enum form form, ant_ctx *ctx)
{
    int v = -1, err;
    ant_case recv[] = {ANT_RECV(NULL, NULL), ANT_RECV(c, &v)}, send[] = {ANT_SEND(c, &(int){42})};

    switch (form) {
    case RECV:
        err = ant_chan_recv_ctx(c, &v, ctx);
        break;
    case SELECT_RECV:
        err = ant_select_ctx(recv, 2, ctx);
        err -= err == 1;
        break;
    case SEND:
        return ant_chan_send_ctx(c, &(int){42}, ctx);
    default:
        return ant_select_ctx(send, 1, ctx);
    }
    CHECK_INT(v, err ? -1 : 42);
    return err;
}

static void partner(void *arg)
{
    struct turn turn;

    while (ant_chan_recv(turns, &turn)) {
        int err = act(turn.form, turn.ctx);

        ant_chan_send(results, &err);
    }
}

static void *partner_in_thread(void *arg)
{
    partner(arg);
    return NULL;
}

/* What the partner does comes true for the one who meets it, or not. */
static int meet(enum form form)
{
    int v = 42, err;

    if (form == RECV || form == SELECT_RECV)
        return ant_chan_try_send(c, &v);
    err = ant_chan_try_recv(c, &v);
    CHECK_INT(v, 42);
    return err;
}

/* Tries to meet the partner until the context is done: by the timeout, or, if that is 0, by a
 * cancel after so many tries (-1: never). */
static void play(enum form form, ant_duration timeout, int patience)
{
    struct turn turn = {.form = form};
    int met, acted;

    if (timeout > 0)
        CHECK_INT(ant_ctx_with_timeout(&turn.ctx, NULL, timeout), 0);
    else
        CHECK_INT(ant_ctx_with_cancel(&turn.ctx, NULL), 0);
    ant_chan_send(turns, &turn);
    while ((met = meet(form)) == -EAGAIN && !ant_ctx_err(turn.ctx)) {
        if (timeout == 0 && patience-- == 0) {
            ant_ctx_cancel(turn.ctx);
            break;
        }
        ant_yield();
    }
    if (met == -EAGAIN && timeout == 0)
        CHECK_INT(meet(form), -EAGAIN); /* never after the cancel */
    CHECK(ant_chan_recv(results, &acted));
    CHECK_INT(acted, met == 0 ? 0 : timeout > 0 ? ANT_ETIMEOUT : ANT_ECANCELED);
    ant_ctx_unref(turn.ctx);
}

static void race(int rounds, bool in_thread)
{
    pthread_t thread;

    CHECK_INT(ant_chan_new(&c, sizeof(int), 0), 0);
    CHECK_INT(ant_chan_new(&turns, sizeof(struct turn), 1), 0);
    CHECK_INT(ant_chan_new(&results, sizeof(int), 0), 0);
    if (in_thread)
        CHECK_INT(pthread_create(&thread, NULL, partner_in_thread, NULL), 0);
    else
        CHECK_INT(ant_go(partner, NULL), 0);
    for (int i = 0; i < rounds; i++) {
        for (enum form form = 0; form < FORMS; form++) {
            play(form, 0, i % 4 - 1);
            play(form, i % 50 * ANT_MICROSECOND, i % 4);
        }
    }
    ant_chan_close(turns);
    if (in_thread)
        CHECK_INT(pthread_join(thread, NULL), 0);
    while (ant_count() > 1)
        ant_yield();
    CHECK_INT(ant_chan_destroy(turns), 0);
    CHECK_INT(ant_chan_destroy(results), 0);
    CHECK_INT(ant_chan_destroy(c), 0);
}

static int run(void *arg)
{
    race(test_scale(2000), false);
    race(test_scale(500), true);
    return 0;
}

TEST(select_ctx_race)
{
    return ant_run(run, NULL, NULL);
}
