/* api_ticker - a ticker ticks never before its times, each tick later than the one before; who
 * is slow misses ticks; stop and reset drop a tick that was not received, and after a stop none
 * comes; it can be destroyed at any time unless somebody waits. Received from goroutines,
 * selects and plain threads. Nothing here says that a tick comes soon. */
#include <errno.h>
#include <pthread.h>

#include <anthill.h>

#include "check.h"
#include "sync/chan.h"

#define PERIOD (500 * ANT_MICROSECOND)

static void check_refused(void)
{
    ant_ticker *t = NULL;

    CHECK_INT(ant_ticker_new(NULL, 1), -EINVAL);
    CHECK_INT(ant_ticker_new(&t, 0), -EINVAL);
    CHECK_INT(ant_ticker_new(&t, -ANT_SECOND), -EINVAL);
    CHECK(!t);
    CHECK_INT(ant_ticker_destroy(NULL), 0);
}

/* ---- on time ---- */

static ant_waitgroup wg;

/* The ticks of a ticker made at or after start. */
static void check_ticks(ant_chan *c, ant_time start, ant_duration period, int n)
{
    ant_time last = start, tick;

    for (int i = 1; i <= n; i++) {
        if (i % 2) {
            CHECK(ant_chan_recv(c, &tick));
        } else {
            ant_case cases[] = {ANT_RECV(c, &tick), ANT_RECV(NULL, NULL)};

            CHECK_INT(ant_select(cases, 2), 0);
            CHECK(cases[0].received);
        }
        CHECK(tick <= ant_now());
        CHECK(tick >= start + i * period);
        CHECK(tick > last);
        last = tick;
    }
}

static void check_on_time(ant_duration period, int n)
{
    ant_time start = ant_now();
    ant_ticker *t;

    CHECK_INT(ant_ticker_new(&t, period), 0);
    CHECK_INT(ant_chan_cap(ant_ticker_chan(t)), 1);
    check_ticks(ant_ticker_chan(t), start, period, n);
    CHECK_INT(ant_ticker_destroy(t), 0);
}

static void *check_in_thread(void *arg)
{
    check_on_time(PERIOD, 10);
    ant_waitgroup_done(&wg);
    return NULL;
}

static void check_thread(void)
{
    pthread_t thread;

    ant_waitgroup_add(&wg, 1);
    CHECK_INT(pthread_create(&thread, NULL, check_in_thread, NULL), 0);
    ant_waitgroup_wait(&wg);
    CHECK_INT(pthread_join(thread, NULL), 0);
}

/* ---- slow ---- */

static void check_slow(void)
{
    ant_time start = ant_now(), ready, tick;
    ant_ticker *t;

    CHECK_INT(ant_ticker_new(&t, PERIOD), 0);
    ant_sleep(10 * PERIOD);
    CHECK(ant_chan_len(ant_ticker_chan(t)) <= 1);
    ready = ant_now();
    CHECK(ant_chan_recv(ant_ticker_chan(t), &tick));
    CHECK(tick >= start + PERIOD);
    CHECK(ant_chan_recv(ant_ticker_chan(t), &tick)); /* those between are lost */
    CHECK(tick >= ready);
    CHECK_INT(ant_ticker_destroy(t), 0);
}

/* ---- stop and reset ---- */

static void await_tick(ant_ticker *t)
{
    while (ant_chan_len(ant_ticker_chan(t)) == 0)
        ant_yield();
}

static void check_stop(void)
{
    ant_ticker *t;
    ant_time tick;

    CHECK_INT(ant_ticker_new(&t, PERIOD), 0);
    await_tick(t);
    ant_ticker_stop(t);
    for (int i = 0; i < 10; i++) {
        CHECK_INT(ant_chan_try_recv(ant_ticker_chan(t), &tick), -EAGAIN);
        ant_sleep(PERIOD / 2);
    }
    ant_ticker_stop(t);
    CHECK_INT(ant_chan_try_recv(ant_ticker_chan(t), &tick), -EAGAIN);
    CHECK_INT(ant_ticker_destroy(t), 0);
}

static void check_reset(void)
{
    ant_ticker *t;
    ant_time start;

    CHECK_INT(ant_ticker_new(&t, PERIOD), 0);
    for (int i = 1; i <= 6; i++) {
        if (i % 2)
            await_tick(t);
        else
            ant_ticker_stop(t);
        start = ant_now();
        CHECK_INT(ant_ticker_reset(t, i * PERIOD / 2), 0);
        check_ticks(ant_ticker_chan(t), start, i * PERIOD / 2, 3);
    }
    CHECK_INT(ant_ticker_reset(t, 0), -EINVAL);
    CHECK_INT(ant_ticker_reset(t, -1), -EINVAL);
    CHECK_INT(ant_ticker_reset(t, ANT_HOUR), 0);
    CHECK_INT(ant_chan_try_recv(ant_ticker_chan(t), NULL), -EAGAIN);
    CHECK_INT(ant_ticker_destroy(t), 0);
}

/* ---- destroy ---- */

static void check_destroy(void)
{
    ant_ticker *t;

    for (int i = 0; i < test_scale(2000); i++) { /* before, at and after a tick */
        CHECK_INT(ant_ticker_new(&t, 1 + i % 20 * ANT_MICROSECOND), 0);
        if (i % 4 == 0)
            ant_yield();
        if (i % 8 == 0)
            await_tick(t);
        CHECK_INT(ant_ticker_destroy(t), 0);
    }
}

struct waiter {
    ant_chan *c;
    ant_ctx *ctx;
};

static void wait_in_vain(void *arg)
{
    struct waiter w = *(struct waiter *)arg;

    CHECK_INT(ant_chan_recv_ctx(w.c, NULL, w.ctx), ANT_ECANCELED);
    ant_waitgroup_done(&wg);
}

static void await_waiter(ant_chan *c)
{
    for (bool waits = false; !waits; ant_yield()) {
        struct ant__m *m = ant__enter();

        ant__lock(&c->lock);
        waits = c->receivers.head;
        ant__unlock(&c->lock);
        ant__leave_any(m);
    }
}

static void check_busy(void)
{
    struct waiter w;
    ant_ticker *t;

    CHECK_INT(ant_ticker_new(&t, ANT_HOUR), 0);
    w.c = ant_ticker_chan(t);
    CHECK_INT(ant_ctx_with_cancel(&w.ctx, NULL), 0);
    ant_waitgroup_add(&wg, 1);
    CHECK_INT(ant_go_copy(wait_in_vain, &w, sizeof w), 0);
    await_waiter(w.c);
    CHECK_INT(ant_ticker_destroy(t), -EBUSY);
    ant_ctx_cancel(w.ctx);
    ant_waitgroup_wait(&wg);
    CHECK_INT(ant_ticker_destroy(t), 0);
    ant_ctx_unref(w.ctx);
}

static int run(void *arg)
{
    check_refused();
    check_on_time(PERIOD, 20);
    check_on_time(7 * ANT_MILLISECOND, 3);
    check_on_time(1, test_scale(1000));
    check_thread();
    check_slow();
    check_stop();
    check_reset();
    check_destroy();
    check_busy();
    return 0;
}

TEST(api_ticker)
{
    ant_ticker *t;

    CHECK_INT(ant_ticker_new(&t, 1), ANT_ENOTRUNNING);
    CHECK_INT(ant_run(run, NULL, NULL), 0);
    CHECK_INT(ant_ticker_new(&t, 1), ANT_ENOTRUNNING);
    return 0;
}
