/* ctx_value - a value is found under the address of its key in the context and all that descend
 * from it; a nearer one hides it; ancestors do not have it. What only carries a value is done with
 * its parent, and is not canceled itself. */
#include <errno.h>

#include <anthill.h>

#include "check.h"

static const int one, other, none;

static ant_ctx *with(ant_ctx *parent, const void *key, const char *value)
{
    ant_ctx *ctx;

    CHECK_INT(ant_ctx_with_value(&ctx, parent, key, (void *)value), 0);
    return ctx;
}

static void check_values(const ant_ctx *ctx, const char *of_one, const char *of_other)
{
    CHECK_STR(ant_ctx_value(ctx, &one), of_one);
    CHECK_STR(ant_ctx_value(ctx, &other), of_other);
    CHECK(ant_ctx_value(ctx, &none) == NULL);
    CHECK(ant_ctx_value(ctx, NULL) == NULL);
}

static void found(void)
{
    ant_ctx *a = with(NULL, &one, "a"), *b = with(a, &other, "b"), *c, *d, *e, *f;

    CHECK_INT(ant_ctx_with_cancel(&c, b), 0);
    d = with(c, &one, "d");
    e = with(d, &other, NULL); /* NULL hides too */
    CHECK_INT(ant_ctx_without_cancel(&f, d), 0);
    check_values(NULL, NULL, NULL);
    check_values(a, "a", NULL);
    check_values(b, "a", "b");
    check_values(c, "a", "b");
    check_values(d, "d", "b");
    check_values(e, "d", NULL);
    check_values(f, "d", "b");
    ant_ctx_cancel(c);
    check_values(c, "a", "b"); /* also when it is done */
    check_values(e, "d", NULL);
    ant_ctx_unref(a);
    ant_ctx_unref(b);
    ant_ctx_unref(c);
    ant_ctx_unref(d);
    check_values(e, "d", NULL); /* it keeps what it needs */
    check_values(f, "d", "b");
    ant_ctx_unref(e);
    ant_ctx_unref(f);
}

static void done_with_parent(void)
{
    ant_ctx *parent, *value, *alone = with(NULL, &one, "alone");

    CHECK_INT(ant_ctx_with_cancel(&parent, NULL), 0);
    value = with(parent, &one, "value");
    CHECK(ant_ctx_done(value) == ant_ctx_done(parent));
    CHECK(ant_ctx_done(alone) == NULL);
    ant_ctx_cancel(value);
    ant_ctx_cancel_cause(alone, -EIO);
    CHECK_INT(ant_ctx_err(value), 0);
    CHECK_INT(ant_ctx_err(parent), 0);
    CHECK_INT(ant_ctx_err(alone), 0);
    CHECK_INT(ant_ctx_cause(alone), 0);
    ant_ctx_cancel_cause(parent, -EIO);
    CHECK_INT(ant_ctx_err(value), ANT_ECANCELED);
    CHECK_INT(ant_ctx_cause(value), -EIO);
    ant_ctx_unref(parent);
    CHECK_INT(ant_ctx_cause(value), -EIO);
    ant_ctx_unref(value);
    ant_ctx_unref(alone);
}

/* A long line of values. */
static void deep(void)
{
    ant_ctx *ctx = with(NULL, &one, "deep");

    for (int i = 0; i < 10000; i++) {
        ant_ctx *child = with(ctx, &other, "other");

        ant_ctx_unref(ctx);
        ctx = child;
    }
    check_values(ctx, "deep", "other");
    ant_ctx_unref(ctx);
}

static int run(void *arg)
{
    ant_ctx *ctx = NULL;

    CHECK_INT(ant_ctx_with_value(&ctx, NULL, NULL, NULL), -EINVAL);
    CHECK_INT(ant_ctx_with_value(NULL, NULL, &one, NULL), -EINVAL);
    CHECK(ctx == NULL);
    found();
    done_with_parent();
    deep();
    return 0;
}

TEST(ctx_value)
{
    run(NULL);
    return ant_run(run, NULL, NULL);
}
