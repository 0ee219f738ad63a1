/* waitgroup_ctx_mix - goroutines wait for one group, some with a context and some without: when the
 * counter is zero all are woken. */
#include <anthill.h>

#include "check.h"

enum { WAITERS = 10 };

static ant_waitgroup group, back;
static ant_ctx *ctx;

static void waiter(void *arg)
{
    ant_waitgroup_wait(&group);
    ant_waitgroup_done(&back);
}

static void waiter_with_ctx(void *arg)
{
    CHECK_INT(ant_waitgroup_wait_ctx(&group, ctx), 0);
    ant_waitgroup_done(&back);
}

static int run(void *arg)
{
    CHECK_INT(ant_ctx_with_cancel(&ctx, NULL), 0);
    for (int i = 0; i < test_scale(2000); i++) {
        ant_waitgroup_add(&group, 1);
        ant_waitgroup_add(&back, WAITERS);
        for (int k = 0; k < WAITERS; k++)
            CHECK_INT(ant_go((i + k) % 3 ? waiter : waiter_with_ctx, NULL), 0);
        for (int k = 0; k < i % 20; k++)
            ant_yield();
        ant_waitgroup_done(&group);
        ant_waitgroup_wait(&back);
    }
    ant_ctx_unref(ctx);
    return 0;
}

TEST(waitgroup_ctx_mix)
{
    return ant_run(run, NULL, NULL);
}
