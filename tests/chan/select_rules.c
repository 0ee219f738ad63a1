/* select_rules - what waits, what does not and what panics: NULL channels, full, empty and
 * closed ones, alone and in a select, selects without cases or with a default, and a select that
 * could only match itself. As Go's select3. */
#include <errno.h>
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"

/* Those that goroutines wait on when the program ends cannot be freed. */
static ant_chan *unbuffered, *empty, *full, *closed;
static int v;

/* ---- what waits ---- */

static void send_null(void *arg)
{
    ant_chan_send(NULL, &v);
}

static void recv_null(void *arg)
{
    ant_chan_recv(NULL, NULL);
}

static void send_unbuffered(void *arg)
{
    ant_chan_send(unbuffered, &v);
}

static void recv_empty(void *arg)
{
    ant_chan_recv(empty, NULL);
}

static void send_full(void *arg)
{
    ant_chan_send(full, &v);
}

static void select_nothing(void *arg)
{
    ant_select(NULL, 0);
}

static void select_null(void *arg)
{
    ant_case cases[] = {ANT_SEND(NULL, &v), ANT_RECV(NULL, NULL), ANT_RECV(NULL, &v)};

    ant_select(cases, 3);
}

static void select_impossible(void *arg)
{
    ant_case cases[] = {ANT_SEND(full, &v), ANT_RECV(empty, NULL), ANT_RECV(NULL, NULL)};

    ant_select(cases, 3);
}

static void select_itself(void *arg)
{
    int got;
    ant_chan *c = *(ant_chan **)arg;
    ant_case cases[] = {ANT_SEND(c, &v), ANT_RECV(c, &got)};

    ant_select(cases, 2);
}

static atomic_int begun, ended;

struct call {
    void (*fn)(void *);
    void *arg;
};

static void call_it(void *arg)
{
    struct call call = *(struct call *)arg;

    atomic_fetch_add(&begun, 1);
    call.fn(call.arg);
    atomic_fetch_add(&ended, 1);
}

static void check_waits(void (*fn)(void *), void *arg)
{
    struct call call = {fn, arg};
    int before = atomic_load(&begun);

    CHECK_INT(ant_go_copy(call_it, &call, sizeof call), 0);
    while (atomic_load(&begun) == before)
        ant_yield();
    for (int i = 0; i < 20; i++)
        ant_yield();
    CHECK_INT(atomic_load(&ended), 0);
}

static void check_waiting(void)
{
    static ant_chan *alone;

    CHECK_INT(ant_chan_new(&alone, sizeof v, 0), 0);
    check_waits(send_null, NULL);
    check_waits(recv_null, NULL);
    check_waits(select_nothing, NULL);
    check_waits(select_null, NULL);
    check_waits(select_itself, &alone);
    check_waits(recv_empty, NULL);
    check_waits(send_full, NULL);
    check_waits(select_impossible, NULL);
    check_waits(send_unbuffered, NULL);
    CHECK_INT(ant_chan_destroy(alone), -EBUSY);
}

/* ---- what does not wait ---- */

static void check_default(void)
{
    ant_case only[] = {ANT_DEFAULT};
    ant_case null[] = {ANT_RECV(NULL, NULL), ANT_DEFAULT, ANT_SEND(NULL, &v)};
    ant_case impossible[] = {ANT_DEFAULT, ANT_SEND(full, &v), ANT_RECV(empty, NULL)};
    ant_case itself[] = {ANT_SEND(unbuffered, &v), ANT_RECV(unbuffered, &v), ANT_DEFAULT};

    CHECK_INT(ant_select(only, 1), 0);
    CHECK_INT(ant_select(null, 3), 1);
    CHECK_INT(ant_select(impossible, 3), 0);
    CHECK_INT(ant_select(itself, 3), 2);
}

static void check_possible(void)
{
    int got;
    ant_case send[] = {ANT_DEFAULT, ANT_SEND(empty, &v), ANT_SEND(NULL, &v)};
    ant_case recv[] = {ANT_RECV(empty, &got), ANT_RECV(unbuffered, &got), ANT_DEFAULT};
    ant_case recv_closed[] = {ANT_RECV(unbuffered, NULL), ANT_DEFAULT, ANT_RECV(closed, &got)};

    for (int i = 0; i < 100; i++) {
        v = i;
        CHECK_INT(ant_select(send, 3), 1);
        CHECK_INT(ant_select(recv, 3), 0);
        CHECK(recv[0].received);
        CHECK_INT(got, i);
        CHECK_INT(ant_select(recv_closed, 3), 2);
        CHECK(!recv_closed[2].received);
        CHECK_INT(got, 0);
        CHECK(!ant_chan_recv(closed, NULL));
    }
}

/* ---- what panics ---- */

static void send_closed(void *arg)
{
    ant_chan_send(closed, &v);
}

static void close_closed(void *arg)
{
    ant_chan_close(closed);
}

static void close_null(void *arg)
{
    ant_chan_close(NULL);
}

static void select_send_closed(void *arg)
{
    ant_case cases[] = {ANT_SEND(closed, &v)};

    ant_select(cases, 1);
}

static void select_send_closed_else_default(void *arg)
{
    ant_case cases[] = {ANT_DEFAULT, ANT_SEND(full, &v), ANT_SEND(closed, &v)};

    ant_select(cases, 3);
}

static void select_send_closed_or_recv(void *arg)
{
    ant_case cases[] = {ANT_SEND(closed, &v), ANT_RECV(closed, NULL), ANT_RECV(empty, NULL)};

    CHECK_INT(ant_select(cases, 3), 1);
}

static void check_panics(void)
{
    int panics = 0;

    for (int i = 0; i < 10; i++) {
        CHECK_INT(ant_try(send_closed, NULL, NULL), ANT_EPANIC);
        CHECK_INT(ant_try(close_closed, NULL, NULL), ANT_EPANIC);
        CHECK_INT(ant_try(close_null, NULL, NULL), ANT_EPANIC);
        CHECK_INT(ant_try(select_send_closed, NULL, NULL), ANT_EPANIC);
        CHECK_INT(ant_try(select_send_closed_else_default, NULL, NULL), ANT_EPANIC);
    }
    for (int i = 0; i < 200; i++)
        panics += ant_try(select_send_closed_or_recv, NULL, NULL) == ANT_EPANIC;
    CHECK(panics > 0 && panics < 200);
}

/* ---- closing what a select waits to send on ---- */

static ant_waitgroup wg;

static void select_doomed(void *c)
{
    ant_case cases[] = {ANT_RECV(empty, NULL), ANT_SEND(c, &v), ANT_SEND(full, &v)};

    ant_select(cases, 3);
}

static void panics_when_closed(void *c)
{
    ant_panic_info info;

    CHECK_INT(ant_try(select_doomed, c, &info), ANT_EPANIC);
    CHECK_HAS(info.message, "closed");
    ant_waitgroup_done(&wg);
}

static void check_closed_while_waiting(void)
{
    ant_chan *c;

    CHECK_INT(ant_chan_new(&c, sizeof v, 0), 0);
    ant_waitgroup_add(&wg, 3);
    for (int i = 0; i < 3; i++)
        CHECK_INT(ant_go(panics_when_closed, c), 0);
    for (int i = 0; i < 20; i++)
        ant_yield();
    ant_chan_close(c);
    ant_waitgroup_wait(&wg);
    CHECK_INT(ant_chan_destroy(c), 0);
}

static int run(void *arg)
{
    CHECK_INT(ant_chan_new(&unbuffered, sizeof v, 0), 0);
    CHECK_INT(ant_chan_new(&empty, sizeof v, 1), 0);
    CHECK_INT(ant_chan_new(&full, sizeof v, 1), 0);
    CHECK_INT(ant_chan_new(&closed, sizeof v, 1), 0);
    ant_chan_send(full, &v);
    ant_chan_close(closed);
    check_default();
    check_possible();
    check_panics();
    for (int i = test_scale(100); i > 0; i--)
        check_closed_while_waiting();
    check_default();
    check_possible();
    check_waiting();
    CHECK_INT(ant_chan_destroy(closed), 0);
    return 0;
}

TEST(select_rules)
{
    return ant_run(run, NULL, NULL);
}
