/* select_losing - selects that stand anywhere in a channel's queue, first, between others or
 * last, and are woken by another channel, leave the queue as it was: the others are served, in
 * the order in which they came. As Go's select6, for receivers and senders, woken one by one or
 * all at once by a close. */
#include <anthill.h>

#include "check.h"
#include "sync/chan.h"

enum { WAITERS = 5 };

static ant_chan *queue, *other;
static ant_waitgroup losing, waiting;

static int length(const struct ant__queue *q)
{
    int n = 0;

    for (const struct ant__wait *w = q->head; w; w = w->next)
        n++;
    return n;
}

/* Returns when so many wait on the channel. */
static void await_waiters(ant_chan *c, int expected)
{
    for (;;) {
        struct ant__m *m = ant__enter();
        int n;

        ant__lock(&c->lock);
        n = length(&c->receivers) + length(&c->senders);
        ant__unlock(&c->lock);
        ant__leave_any(m);
        if (n == expected)
            return;
        ant_yield();
    }
}

/* ---- those that wait; the number is their place among those that do not lose ---- */

static void recv_plain(void *arg)
{
    int v;

    CHECK(ant_chan_recv(queue, &v));
    CHECK_INT(v, (intptr_t)arg);
    ant_waitgroup_done(&waiting);
}

static void recv_select(void *arg)
{
    ant_case cases[] = {ANT_RECV(queue, NULL), ANT_RECV(other, NULL)};

    CHECK_INT(ant_select(cases, 2), 1);
    ant_waitgroup_done(&losing);
}

static void send_plain(void *arg)
{
    int self = (int)(intptr_t)arg;

    ant_chan_send(queue, &self);
    ant_waitgroup_done(&waiting);
}

static void send_select(void *arg)
{
    ant_case cases[] = {ANT_SEND(queue, &(int){-1}), ANT_RECV(other, NULL)};

    CHECK_INT(ant_select(cases, 2), 1);
    ant_waitgroup_done(&losing);
}

/* ---- */

/* Those whose bit is set in losers select. Returns how many do not. */
static int line_up(unsigned losers, void plain(void *), void select(void *))
{
    intptr_t staying = 0;

    for (int i = 0; i < WAITERS; i++) {
        if (losers >> i & 1) {
            ant_waitgroup_add(&losing, 1);
            CHECK_INT(ant_go(select, NULL), 0);
        } else {
            ant_waitgroup_add(&waiting, 1);
            CHECK_INT(ant_go(plain, (void *)staying++), 0);
        }
        await_waiters(queue, i + 1);
    }
    return (int)staying;
}

static void wake_losers(int n, bool by_close)
{
    if (by_close)
        ant_chan_close(other);
    else
        while (n-- > 0)
            ant_chan_send(other, NULL);
    ant_waitgroup_wait(&losing);
}

static void check(unsigned losers, bool senders, bool by_close)
{
    int staying, v;

    CHECK_INT(ant_chan_new(&queue, sizeof v, 0), 0);
    CHECK_INT(ant_chan_new(&other, 0, 0), 0);
    if (senders)
        staying = line_up(losers, send_plain, send_select);
    else
        staying = line_up(losers, recv_plain, recv_select);
    wake_losers(WAITERS - staying, by_close);
    await_waiters(queue, staying);
    for (int i = 0; i < staying; i++) {
        if (senders) {
            CHECK(ant_chan_recv(queue, &v));
            CHECK_INT(v, i);
        } else {
            ant_chan_send(queue, &i);
        }
    }
    ant_waitgroup_wait(&waiting);
    CHECK_INT(ant_chan_destroy(queue), 0);
    CHECK_INT(ant_chan_destroy(other), 0);
}

static int run(void *arg)
{
    for (int i = test_scale(20); i > 0; i--) {
        for (unsigned losers = 0; losers < 1u << WAITERS; losers++) {
            for (int k = 0; k < 4; k++)
                check(losers, k & 1, k & 2);
        }
    }
    return 0;
}

TEST(select_losing)
{
    return ant_run(run, NULL, NULL);
}
