/* ctx_stop - contexts outlive the runtime: those with a deadline can be looked at, canceled and
 * given back when it has stopped, and when it runs anew; their deadline does not come any more.
 * Without a runtime none can be made that would have to wait for its deadline. */
#include <anthill.h>

#include "check.h"

static ant_ctx *parent, *soon, *late, *child;

static int make(void *arg)
{
    CHECK_INT(ant_ctx_with_cancel(&parent, NULL), 0);
    CHECK_INT(ant_ctx_with_timeout(&soon, parent, 20 * ANT_MILLISECOND), 0);
    CHECK_INT(ant_ctx_with_timeout(&late, parent, ANT_HOUR), 0);
    CHECK_INT(ant_ctx_with_cancel(&child, late), 0);
    return 0;
}

static int use(void *arg)
{
    ant_ctx *another;

    CHECK_INT(ant_ctx_with_timeout(&another, late, 100 * ANT_MICROSECOND), 0);
    CHECK(!ant_chan_recv(ant_ctx_done(another), NULL));
    CHECK_INT(ant_ctx_err(another), ANT_ETIMEOUT);
    CHECK_INT(ant_ctx_err(late), 0);
    CHECK_INT(ant_ctx_err(child), 0);
    ant_ctx_unref(another);
    while (ant_count() > 1) /* the goroutine of the deadline, which has a reference too */
        ant_yield();
    return 0;
}

static void check_without_runtime(void)
{
    ant_ctx *ctx = NULL, *earlier;

    CHECK_INT(ant_ctx_with_timeout(&ctx, NULL, ANT_HOUR), ANT_ENOTRUNNING);
    CHECK_INT(ant_ctx_with_deadline(&ctx, parent, ant_now() + ANT_HOUR), ANT_ENOTRUNNING);
    CHECK(ctx == NULL);
    CHECK_INT(ant_ctx_with_timeout(&ctx, parent, 0), 0); /* there is nothing to wait for */
    CHECK_INT(ant_ctx_err(ctx), ANT_ETIMEOUT);
    CHECK_INT(ant_ctx_with_timeout(&earlier, ctx, ANT_HOUR), 0);
    CHECK_INT(ant_ctx_err(earlier), ANT_ETIMEOUT);
    ant_ctx_unref(ctx);
    ant_ctx_unref(earlier);
    CHECK_INT(ant_ctx_err(late), 0);
    CHECK_INT(ant_ctx_err(child), 0);
}

TEST(ctx_stop)
{
    for (int i = 0; i < test_scale(100); i++) {
        CHECK_INT(ant_run(make, NULL, NULL), 0);
        check_without_runtime();
        if (i & 1)
            CHECK_INT(ant_run(use, NULL, NULL), 0);
        if (i & 2)
            ant_ctx_cancel(soon);
        if (i & 4)
            ant_ctx_cancel(late);
        CHECK_INT(ant_ctx_err(child), i & 4 ? ANT_ECANCELED : 0);
        ant_ctx_unref(soon);
        ant_ctx_cancel(parent);
        CHECK_INT(ant_ctx_err(child), ANT_ECANCELED);
        ant_ctx_unref(parent);
        ant_ctx_unref(late);
        ant_ctx_unref(child);
    }
    return 0;
}
