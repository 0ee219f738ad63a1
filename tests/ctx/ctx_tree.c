/* ctx_tree - canceling a context makes it and all that descend from it done, by the time the call
 * returns; its parent and its siblings stay as they are. Doing so again changes nothing. What is
 * made from a context that is done is done. With a runtime and without. */
#include <anthill.h>

#include "check.h"

static const char key;

static ant_ctx *child_of(ant_ctx *parent)
{
    ant_ctx *ctx;

    CHECK_INT(ant_ctx_with_cancel(&ctx, parent), 0);
    return ctx;
}

static ant_ctx *value_of(ant_ctx *parent)
{
    ant_ctx *ctx;

    CHECK_INT(ant_ctx_with_value(&ctx, parent, &key, NULL), 0);
    return ctx;
}

static bool is_done(const ant_ctx *ctx)
{
    bool done = ant_chan_try_recv(ant_ctx_done(ctx), NULL) == ANT_ECLOSED;

    CHECK_INT(ant_ctx_err(ctx), done ? ANT_ECANCELED : 0);
    CHECK_INT(ant_ctx_cause(ctx), done ? ANT_ECANCELED : 0);
    return done;
}

/* The bits of mask are those that should be done. */
static void check_done(ant_ctx **ctxs, int n, unsigned mask)
{
    for (int i = 0; i < n; i++) {
        if (is_done(ctxs[i]) != (mask >> i & 1))
            FAIL("context %d of %d: done is %d, mask 0x%x", i, n, is_done(ctxs[i]), mask);
    }
}

/*      0
 *     / \
 *    1   5     2 and 6 carry values only
 *   / \   \
 *  2   4   6
 *  |       |
 *  3       7
 */
static void tree(void)
{
    static const struct {
        int canceled;
        unsigned done;
    } cases[] = {{0, 0xff}, {1, 0x1e}, {3, 0x08}, {4, 0x10},
                 {5, 0xe0}, {7, 0x80}, {2, 0x00}, {6, 0x00}};

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        ant_ctx *c[8];

        c[0] = child_of(NULL);
        c[1] = child_of(c[0]);
        c[2] = value_of(c[1]);
        c[3] = child_of(c[2]);
        c[4] = child_of(c[1]);
        c[5] = child_of(c[0]);
        c[6] = value_of(c[5]);
        c[7] = child_of(c[6]);
        check_done(c, 8, 0);
        for (int k = 0; k < 3; k++) {
            ant_ctx_cancel(c[cases[i].canceled]);
            check_done(c, 8, cases[i].done);
        }
        ant_ctx_cancel(c[0]);
        check_done(c, 8, 0xff);
        for (int k = 0; k < 8; k++)
            ant_ctx_unref(c[k]);
    }
}

static void of_done_parent(void)
{
    ant_ctx *parent = child_of(NULL), *child, *value, *grandchild;

    ant_ctx_cancel(parent);
    child = child_of(parent);
    CHECK(is_done(child));
    value = value_of(parent);
    CHECK(is_done(value));
    grandchild = child_of(value);
    CHECK(is_done(grandchild));
    ant_ctx_unref(child);
    ant_ctx_unref(value);
    ant_ctx_unref(grandchild);
    ant_ctx_unref(parent);
}

static int run(void *arg)
{
    for (int i = 0; i < test_scale(500); i++) {
        tree();
        of_done_parent();
    }
    return 0;
}

TEST(ctx_tree)
{
    run(NULL);
    return ant_run(run, NULL, NULL);
}
