/* ctx_timeout_stop - the runtime is stopped while goroutines are in scopes, some of which are over
 * at that moment: nothing is left of them, but for the references to a common parent. A thread may
 * end its scope after the stop.
 *
 * Catches: a context that is touched when its stack is gone. */
#include <malloc.h>

#include <anthill.h>

#include "check.h"

enum { CYCLES = 200 };

static ant_ctx *parent;
static ant_ctx *lost[20]; /* so that ASan sees them */

static void wait_in_scope(void *arg)
{
    ANT_TIMEOUT(ctx, parent, 150 * ANT_MICROSECOND);
    ANT_TIMEOUT(inner, ctx, ANT_HOUR);

    ant_chan_recv(ant_ctx_done(inner), NULL);
    ant_sleep(ANT_HOUR);
}

static int begin_and_return(void *arg)
{
    for (int i = 0; i < 4; i++)
        CHECK_INT(ant_go(wait_in_scope, NULL), 0);
    ant_sleep(*(int *)arg * ANT_MICROSECOND);
    return 0;
}

static void cycles(int n, bool with_parent)
{
    for (int i = 0; i < n; i++) {
        int us = 100 + i % 20 * 10;

        if (with_parent)
            CHECK_INT(ant_ctx_with_cancel(&lost[i], NULL), 0);
        parent = with_parent ? lost[i] : NULL;
        CHECK_INT(ant_run(begin_and_return, &us, NULL), 0);
        ant_ctx_unref(parent);
    }
}

static void end_after_stop(void)
{
    CHECK_INT(ant_start(NULL), 0);
    {
        ANT_TIMEOUT(ctx, NULL, ANT_HOUR);
        CHECK_INT(ant_stop(), 0);
        CHECK_INT(ant_ctx_err(ctx), 0);
        ant_ctx_cancel(ctx);
        CHECK_INT(ant_ctx_err(ctx), ANT_ECANCELED);
    }
}

TEST(ctx_timeout_stop)
{
    size_t before;

    end_after_stop();
    cycles(20, true);
    cycles(20, false);
    before = mallinfo2().uordblks;
    cycles(test_scale_least(CYCLES, 20), false);
    if (!TEST_SANITIZED && mallinfo2().uordblks > before + 64 * CYCLES) /* libc's own */
        FAIL("%zu bytes before, %zu after", before, mallinfo2().uordblks);
    return 0;
}
