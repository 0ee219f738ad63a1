/* ctx_null - NULL stands for a context that is never done: wherever one may be given, as a parent
 * too. Nowhere to put the result is an error. */
#include <errno.h>

#include <anthill.h>

#include "check.h"

static int run(void *arg)
{
    ant_ctx *ctx;
    ant_chan *c;
    int v = 1;

    CHECK_INT(ant_ctx_with_cancel(NULL, NULL), -EINVAL);
    CHECK_INT(ant_ctx_with_deadline(NULL, NULL, 0), -EINVAL);
    CHECK_INT(ant_ctx_with_timeout(NULL, NULL, ANT_HOUR), -EINVAL);
    CHECK(ant_ctx_ref(NULL) == NULL);
    ant_ctx_unref(NULL);
    ant_ctx_cancel(NULL);
    ant_ctx_cancel_cause(NULL, -EIO);
    CHECK_INT(ant_ctx_err(NULL), 0);
    CHECK_INT(ant_ctx_cause(NULL), 0);
    CHECK(ant_ctx_done(NULL) == NULL);
    CHECK(!ant_ctx_deadline(NULL, NULL));
    CHECK(ant_ctx_value(NULL, &v) == NULL);
    CHECK_INT(ant_sleep_ctx(1, NULL), 0);
    CHECK_INT(ant_chan_new(&c, sizeof v, 1), 0);
    CHECK_INT(ant_chan_send_ctx(c, &v, NULL), 0);
    CHECK_INT(ant_chan_recv_ctx(c, &v, NULL), 0);
    CHECK_INT(ant_chan_destroy(c), 0);
    CHECK_INT(ant_ctx_with_cancel(&ctx, NULL), 0);
    CHECK(ant_ctx_ref(ctx) == ctx);
    ant_ctx_unref(ctx);
    CHECK_INT(ant_ctx_err(ctx), 0);
    ant_ctx_unref(ctx);
    return 0;
}

TEST(ctx_null)
{
    return ant_run(run, NULL, NULL);
}
