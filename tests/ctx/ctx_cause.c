/* ctx_cause - what a cancel gives as cause is told of the context and all that descend from it; the
 * error stays ANT_ECANCELED. The first cancel counts, that of a child before its parent's too. A
 * deadline's cause is its error. */
#include <errno.h>

#include <anthill.h>

#include "check.h"

static ant_ctx *child_of(ant_ctx *parent)
{
    ant_ctx *ctx;

    CHECK_INT(ant_ctx_with_cancel(&ctx, parent), 0);
    CHECK_INT(ant_ctx_err(ctx), ant_ctx_err(parent));
    CHECK_INT(ant_ctx_cause(ctx), ant_ctx_cause(parent));
    return ctx;
}

static void check_and_unref(ant_ctx *ctx, int err, int cause)
{
    CHECK_INT(ant_ctx_err(ctx), err);
    CHECK_INT(ant_ctx_cause(ctx), cause);
    ant_ctx_unref(ctx);
}

static void given(int cause, int told)
{
    ant_ctx *parent = child_of(NULL), *child = child_of(parent), *late;

    ant_ctx_cancel_cause(parent, cause);
    ant_ctx_cancel_cause(parent, -ENOMEM);
    ant_ctx_cancel_cause(child, -ENOMEM);
    ant_ctx_cancel(parent);
    late = child_of(parent);
    check_and_unref(late, ANT_ECANCELED, told);
    check_and_unref(child, ANT_ECANCELED, told);
    check_and_unref(parent, ANT_ECANCELED, told);
}

static void child_first(void)
{
    ant_ctx *parent = child_of(NULL), *child = child_of(parent), *grandchild = child_of(child);

    ant_ctx_cancel_cause(child, -EPIPE);
    CHECK_INT(ant_ctx_cause(parent), 0);
    ant_ctx_cancel_cause(parent, -EIO);
    check_and_unref(grandchild, ANT_ECANCELED, -EPIPE);
    check_and_unref(child, ANT_ECANCELED, -EPIPE);
    check_and_unref(parent, ANT_ECANCELED, -EIO);
}

static void without_cause(void)
{
    ant_ctx *ctx = child_of(NULL);

    ant_ctx_cancel(ctx);
    ant_ctx_cancel_cause(ctx, -EIO);
    check_and_unref(ctx, ANT_ECANCELED, ANT_ECANCELED);
}

static void of_deadline(void)
{
    ant_ctx *late, *child, *other;

    CHECK_INT(ant_ctx_with_timeout(&late, NULL, 0), 0);
    ant_ctx_cancel_cause(late, -EIO);
    child = child_of(late);
    check_and_unref(child, ANT_ETIMEOUT, ANT_ETIMEOUT);
    check_and_unref(late, ANT_ETIMEOUT, ANT_ETIMEOUT);

    CHECK_INT(ant_ctx_with_timeout(&other, NULL, ANT_HOUR), 0);
    ant_ctx_cancel_cause(other, -EIO);
    check_and_unref(other, ANT_ECANCELED, -EIO);
}

static int run(void *arg)
{
    given(-EIO, -EIO);
    given(ANT_EPANIC, ANT_EPANIC);
    given(ANT_ETIMEOUT, ANT_ETIMEOUT);
    given(0, ANT_ECANCELED);
    child_first();
    without_cause();
    of_deadline();
    return 0;
}

TEST(ctx_cause)
{
    return ant_run(run, NULL, NULL);
}
