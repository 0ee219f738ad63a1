/* ctx_many - a context with ten thousand children: they may go in any order, and those that are
 * left are all done when it is canceled. So are goroutines that wait with them. */
#include <anthill.h>

#include "check.h"

static ant_waitgroup begun, back;

static void waiter(void *ctx)
{
    ant_waitgroup_done(&begun);
    CHECK_INT(ant_sleep_ctx(ANT_HOUR, ctx), ANT_ECANCELED);
    ant_ctx_unref(ctx);
    ant_waitgroup_done(&back);
}

static void go_in_any_order(int n)
{
    ant_ctx *parent, **children = calloc((size_t)n, sizeof *children);

    CHECK(children);
    CHECK_INT(ant_ctx_with_cancel(&parent, NULL), 0);
    for (int i = 0; i < n; i++)
        CHECK_INT(ant_ctx_with_cancel(&children[i], parent), 0);
    for (int i = 0; i < n; i += 3)
        ant_ctx_cancel(children[i]);
    for (int i = n - 1; i >= 0; i--) {
        if (i % 3 != 1)
            continue;
        ant_ctx_unref(children[i]);
        children[i] = NULL;
    }
    ant_ctx_cancel(parent);
    for (int i = 0; i < n; i++) {
        if (children[i])
            CHECK_INT(ant_ctx_err(children[i]), ANT_ECANCELED);
        ant_ctx_unref(children[i]);
    }
    ant_ctx_unref(parent);
    free(children);
}

static void waited_with(int n)
{
    ant_ctx *parent, *child;

    CHECK_INT(ant_ctx_with_cancel(&parent, NULL), 0);
    ant_waitgroup_add(&begun, n);
    ant_waitgroup_add(&back, n);
    for (int i = 0; i < n; i++) {
        CHECK_INT(ant_ctx_with_cancel(&child, parent), 0);
        CHECK_INT(ant_go(waiter, child), 0);
    }
    ant_waitgroup_wait(&begun);
    ant_ctx_cancel(parent);
    ant_ctx_unref(parent);
    ant_waitgroup_wait(&back);
}

static int run(void *arg)
{
    go_in_any_order(test_scale(10000));
    waited_with(test_scale(10000));
    return 0;
}

TEST(ctx_many)
{
    return ant_run(run, NULL, NULL);
}
