/* ctx_without_cancel - a context that keeps its parent's values and nothing else: it is not done
 * when the parent is, before or after, has no deadline and no done channel, and cannot be canceled;
 * what is made from it can. */
#include <errno.h>

#include <anthill.h>

#include "check.h"

static const char key;

static void check_free(const ant_ctx *ctx, const char *value)
{
    CHECK_INT(ant_ctx_err(ctx), 0);
    CHECK_INT(ant_ctx_cause(ctx), 0);
    CHECK(ant_ctx_done(ctx) == NULL);
    CHECK(!ant_ctx_deadline(ctx, NULL));
    CHECK_STR(ant_ctx_value(ctx, &key), value);
}

static int run(void *arg)
{
    ant_ctx *parent, *value, *before, *after, *child, *of_none;

    CHECK_INT(ant_ctx_without_cancel(NULL, NULL), -EINVAL);
    CHECK_INT(ant_ctx_without_cancel(&of_none, NULL), 0);
    check_free(of_none, NULL);
    CHECK_INT(ant_ctx_with_timeout(&parent, NULL, ANT_HOUR), 0);
    CHECK_INT(ant_ctx_with_value(&value, parent, &key, "value"), 0);
    CHECK_INT(ant_ctx_without_cancel(&before, value), 0);
    CHECK_INT(ant_ctx_with_cancel(&child, before), 0);
    ant_ctx_cancel(parent);
    CHECK_INT(ant_ctx_without_cancel(&after, value), 0);
    CHECK_INT(ant_ctx_err(value), ANT_ECANCELED);
    check_free(before, "value");
    check_free(after, "value");
    ant_ctx_cancel(before);
    ant_ctx_cancel_cause(after, -EIO);
    check_free(before, "value");
    check_free(after, "value");

    CHECK_INT(ant_ctx_err(child), 0);
    CHECK_STR(ant_ctx_value(child, &key), "value");
    ant_ctx_unref(parent);
    ant_ctx_unref(value);
    ant_ctx_unref(before);
    ant_ctx_cancel(child);
    CHECK_INT(ant_ctx_err(child), ANT_ECANCELED);
    CHECK_INT(ant_ctx_with_timeout(&parent, after, 0), 0);
    CHECK_INT(ant_ctx_err(parent), ANT_ETIMEOUT);
    check_free(after, "value");
    ant_ctx_unref(child);
    ant_ctx_unref(after);
    ant_ctx_unref(parent);
    ant_ctx_unref(of_none);
    return 0;
}

TEST(ctx_without_cancel)
{
    return ant_run(run, NULL, NULL);
}
