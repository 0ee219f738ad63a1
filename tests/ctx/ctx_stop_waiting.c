/* ctx_stop_waiting - the runtime is stopped at the moment a deadline has come, on which a goroutine
 * waits: the context is canceled while that one's stack is still there, not by the next run, and
 * nothing is left of it. ASan sees what is left, elsewhere malloc is asked. */
#include <malloc.h>

#include <anthill.h>

#include "check.h"

enum { CYCLES = 200 };

static ant_ctx *ctx;

static void wait_for_it(void *arg)
{
    ant_chan_recv(ant_ctx_done(ctx), NULL);
}

/* On one P both timers lie in one slot, the later one first. */
static int wait_and_return(void *arg)
{
    ant_ctx *other;

    CHECK_INT(ant_ctx_with_timeout(&other, NULL, ANT_HOUR), 0);
    ant_ctx_unref(other);
    CHECK_INT(ant_ctx_with_timeout(&ctx, NULL, 200 * ANT_MICROSECOND), 0);
    for (int i = 0; i < 3; i++)
        CHECK_INT(ant_go(wait_for_it, NULL), 0);
    ant_sleep(200 * ANT_MICROSECOND);
    return 0;
}

static void cycles(int n)
{
    for (int i = 0; i < n; i++) {
        CHECK_INT(ant_run(wait_and_return, NULL, NULL), 0);
        ant_ctx_unref(ctx);
    }
}

TEST(ctx_stop_waiting)
{
    size_t before;

    cycles(20);
    before = mallinfo2().uordblks;
    cycles(test_scale_least(CYCLES, 20));
    if (!TEST_SANITIZED && mallinfo2().uordblks > before + 64 * CYCLES) /* libc's own */
        FAIL("%zu bytes before, %zu after", before, mallinfo2().uordblks);
    return 0;
}
