/* chan_basic - for many capacities: receiving waits for a send and sending for room, unless tried;
 * order; len and cap; what a closed channel holds is received, then zero; closing wakes
 * receivers. */
#include <errno.h>
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"

static ant_waitgroup wg;
static atomic_int stage;

static void recv_two(void *arg)
{
    ant_chan *c = arg;
    int v = 0;

    CHECK(ant_chan_recv(c, &v));
    CHECK_INT(v, 42);
    atomic_fetch_add(&stage, 1);
    CHECK(!ant_chan_recv(c, &v));
    CHECK_INT(v, 0);
    atomic_fetch_add(&stage, 1);
    ant_waitgroup_done(&wg);
}

/* What waits goes on waiting: it has been given every chance. */
static void let_others_run(void)
{
    for (int i = 0; i < 20; i++)
        ant_yield();
}

static void check_waiting_recv(int cap)
{
    int v = 42;
    ant_chan *c;

    CHECK_INT(ant_chan_new(&c, sizeof v, (size_t)cap), 0);
    atomic_store(&stage, 0);
    ant_waitgroup_add(&wg, 1);
    CHECK_INT(ant_go(recv_two, c), 0);
    let_others_run();
    CHECK_INT(atomic_load(&stage), 0);
    ant_chan_send(c, &v);
    while (atomic_load(&stage) < 1)
        ant_yield();
    let_others_run();
    CHECK_INT(atomic_load(&stage), 1);
    ant_chan_close(c);
    ant_waitgroup_wait(&wg);
    CHECK_INT(ant_chan_destroy(c), 0);
}

static void send_one_more(void *arg)
{
    int v = -1;

    ant_chan_send(arg, &v);
    atomic_store(&stage, 1);
    ant_waitgroup_done(&wg);
}

static void check_full(int cap)
{
    ant_chan *c;
    int v;

    CHECK_INT(ant_chan_new(&c, sizeof v, (size_t)cap), 0);
    CHECK_INT(ant_chan_cap(c), cap);
    CHECK_INT(ant_chan_try_recv(c, &v), -EAGAIN);
    for (int i = 0; i < cap; i++) {
        CHECK_INT(ant_chan_len(c), i);
        if (i % 2)
            ant_chan_send(c, &i);
        else
            CHECK_INT(ant_chan_try_send(c, &i), 0);
    }
    CHECK_INT(ant_chan_try_send(c, &v), -EAGAIN);
    atomic_store(&stage, 0);
    ant_waitgroup_add(&wg, 1);
    CHECK_INT(ant_go(send_one_more, c), 0);
    let_others_run();
    CHECK_INT(atomic_load(&stage), 0);
    for (int i = 0; i < cap; i++) {
        CHECK(ant_chan_recv(c, &v));
        CHECK_INT(v, i);
    }
    CHECK(ant_chan_recv(c, &v));
    CHECK_INT(v, -1);
    ant_waitgroup_wait(&wg);
    CHECK_INT(ant_chan_len(c), 0);
    for (int i = 0; i < cap; i++)
        ant_chan_send(c, &i);
    ant_chan_close(c);
    CHECK_INT(ant_chan_try_send(c, &v), ANT_ECLOSED);
    for (int i = 0; i < cap; i++) {
        if (i % 2)
            CHECK(ant_chan_recv(c, &v));
        else
            CHECK_INT(ant_chan_try_recv(c, &v), 0);
        CHECK_INT(v, i);
    }
    for (int i = 0; i < 3; i++) {
        v = 7;
        CHECK(!ant_chan_recv(c, &v));
        CHECK_INT(v, 0);
        CHECK_INT(ant_chan_try_recv(c, NULL), ANT_ECLOSED);
    }
    CHECK_INT(ant_chan_destroy(c), 0);
}

static int run(void *arg)
{
    for (int cap = 0; cap < 200; cap += cap < 10 ? 1 : 27) {
        check_waiting_recv(cap);
        check_full(cap);
    }
    return 0;
}

TEST(chan_basic)
{
    return ant_run(run, NULL, NULL);
}
