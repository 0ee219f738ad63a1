/* ctx_stop_expired - the runtime is stopped at the moment a deadline has come: nothing is left of
 * the context when its last reference is given back, before the stop or after it, and no descendant
 * stays behind that cannot be made done. ASan sees what is left, elsewhere malloc is asked. */
#include <malloc.h>

#include <anthill.h>

#include "check.h"

enum { CYCLES = 200 };

static ant_ctx *kept;

static int wait_and_return(void *arg)
{
    ant_ctx *ctx, *child;

    CHECK_INT(ant_ctx_with_timeout(&ctx, NULL, 50 * ANT_MICROSECOND), 0);
    CHECK_INT(ant_ctx_with_cancel(&child, ctx), 0);
    CHECK(!ant_chan_recv(ant_ctx_done(ctx), NULL));
    kept = child;
    ant_ctx_unref(ctx);
    return 0;
}

static void cycles(int n)
{
    for (int i = 0; i < n; i++) {
        CHECK_INT(ant_run(wait_and_return, NULL, NULL), 0);
        ant_ctx_cancel(kept);
        CHECK(ant_ctx_err(kept) != 0);
        ant_ctx_unref(kept);
    }
}

TEST(ctx_stop_expired)
{
    size_t before;

    cycles(20);
    before = mallinfo2().uordblks;
    cycles(CYCLES);
    if (!TEST_SANITIZED && mallinfo2().uordblks > before + 64 * CYCLES) /* libc's own */
        FAIL("%zu bytes before, %zu after", before, mallinfo2().uordblks);
    return 0;
}
