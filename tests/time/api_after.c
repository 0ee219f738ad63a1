/* api_after - the channel of ant_after gives one time, never before it is due, and is not closed
 * then; it can be freed before and after; several may wait on it, of whom one gets it; it is
 * good as a timeout in a select, in goroutines and in plain threads. */
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"

static ant_waitgroup wg;

static void check_once(ant_duration d)
{
    ant_time start = ant_now(), at;
    ant_chan *c;

    CHECK_INT(ant_after(&c, d), 0);
    CHECK(ant_chan_recv(c, &at));
    CHECK(at <= ant_now());
    CHECK(at >= start + (d > 0 ? d : 0));
    CHECK_INT(ant_chan_try_recv(c, &at), -EAGAIN);
    CHECK_INT(ant_chan_destroy(c), 0);
}

static void check_times(void)
{
    check_once(0);
    check_once(-1);
    check_once(INT64_MIN);
    check_once(1);
    check_once(ANT_MILLISECOND);
    check_once(20 * ANT_MILLISECOND);
}

static void *check_in_thread(void *arg)
{
    check_times();
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

/* ---- as a timeout ---- */

static void check_timeout(void)
{
    ant_time start = ant_now();
    ant_chan *silent, *late, *later;
    ant_case cases[] = {ANT_RECV(NULL, NULL), ANT_RECV(NULL, NULL), ANT_RECV(NULL, NULL)};

    CHECK_INT(ant_chan_new(&silent, sizeof(int), 0), 0);
    CHECK_INT(ant_after(&late, 3 * ANT_MILLISECOND), 0);
    CHECK_INT(ant_after(&later, ANT_HOUR), 0);
    cases[0].chan = silent;
    cases[1].chan = late;
    cases[2].chan = later;
    CHECK_INT(ant_select(cases, 3), 1);
    CHECK(ant_now() - start >= 3 * ANT_MILLISECOND);
    CHECK_INT(ant_chan_destroy(silent), 0);
    CHECK_INT(ant_chan_destroy(late), 0);
    CHECK_INT(ant_chan_destroy(later), 0);
}

/* ---- one of several ---- */

static ant_chan *shared;
static ant_ctx *ctx;
static atomic_int got;

static void compete(void *arg)
{
    if (ant_chan_recv_ctx(shared, NULL, ctx) == 0) {
        atomic_fetch_add(&got, 1);
        ant_ctx_cancel(ctx);
    }
    ant_waitgroup_done(&wg);
}

static void check_one_of_several(void)
{
    atomic_store(&got, 0);
    CHECK_INT(ant_ctx_with_cancel(&ctx, NULL), 0);
    CHECK_INT(ant_after(&shared, 100 * ANT_MICROSECOND), 0);
    ant_waitgroup_add(&wg, 10);
    for (int i = 0; i < 10; i++)
        CHECK_INT(ant_go(compete, NULL), 0);
    ant_waitgroup_wait(&wg);
    CHECK_INT(atomic_load(&got), 1);
    CHECK_INT(ant_chan_destroy(shared), 0);
    ant_ctx_unref(ctx);
}

/* ---- freed ---- */

static void check_freed(void)
{
    ant_chan *c;

    CHECK_INT(ant_after(&c, INT64_MAX), 0);
    CHECK_INT(ant_chan_try_recv(c, NULL), -EAGAIN);
    CHECK_INT(ant_chan_destroy(c), 0);
    for (int i = 0; i < test_scale(5000); i++) { /* before, while and after it fires */
        CHECK_INT(ant_after(&c, i % 40 * ANT_MICROSECOND), 0);
        if (i % 3 == 0)
            ant_yield();
        if (i % 5 == 0)
            CHECK(ant_chan_recv(c, NULL));
        CHECK_INT(ant_chan_destroy(c), 0);
    }
}

static int run(void *arg)
{
    CHECK_INT(ant_after(NULL, 1), -EINVAL);
    check_times();
    check_thread();
    for (int i = test_scale(40); i > 0; i--) {
        check_timeout();
        check_one_of_several();
    }
    check_freed();
    return 0;
}

TEST(api_after)
{
    ant_chan *c;

    CHECK_INT(ant_after(&c, 1), ANT_ENOTRUNNING);
    CHECK_INT(ant_run(run, NULL, NULL), 0);
    return 0;
}
