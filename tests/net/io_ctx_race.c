/* A byte and a cancellation race for one reader, while another reader waits without a context: one of
 * the two gets the byte.
 *
 * Catches: the canceled one is taken from the queue by the event, returns ANT_ECANCELED, and nobody
 * tells the other that there is a byte. */
#include "net_help.h"

enum { FULL = 3000 };

static ant_waitgroup wg;

static void cancel(void *arg)
{
    ant_ctx_cancel(arg);
    ant_waitgroup_done(&wg);
}

static void race(ant_io ends[2], int i)
{
    struct reader canceled, other;
    ant_ctx *ctx;
    ssize_t n;

    CHECK_INT(ant_ctx_with_cancel(&ctx, NULL), 0);
    reader_start(&canceled, ends[0], ctx);
    if (i % 3)
        await_waiters(1); /* is first in the queue */
    reader_start(&other, ends[0], NULL);
    if (i % 3 > 1)
        await_waiters(2);
    ant_waitgroup_add(&wg, 1);
    CHECK_INT(ant_go(cancel, ctx), 0);
    CHECK_INT(ant_write(ends[1], "x", 1), 1);
    n = reader_end(&canceled);
    if (n == 1)
        CHECK_INT(ant_write(ends[1], "y", 1), 1);
    else
        CHECK_INT(n, ANT_ECANCELED);
    CHECK_INT(reader_end(&other), 1);
    ant_waitgroup_wait(&wg);
    ant_ctx_unref(ctx);
}

static int run(void *arg)
{
    ant_io ends[2];

    for (int kind = 0; kind < 2; kind++) {
        double end = test_now() + torture_seconds(0) / 4;

        kind ? unix_pair(ends) : tcp_pair(ends);
        for (int i = 0; i < test_scale(FULL) || test_now() < end; i++)
            race(ends, i);
        close_pair(ends);
    }
    return 0;
}

TEST(io_ctx_race)
{
    return run_and_check_leaks(run);
}
