/* group_ctx - TestWithContext of Go's errgroup: the context of a group is canceled by the first
 * error, which becomes its cause, or else by the end of the wait. It follows its parent, and does
 * not touch it. It may be kept by a reference of one's own. */
#include <errno.h>

#include <anthill.h>

#include "check.h"

static int fail_with(void *err)
{
    return (int)(intptr_t)err;
}

static int wait_for_end(void *ctx)
{
    ant_chan_recv(ant_ctx_done(ctx), NULL);
    CHECK_INT(ant_ctx_err(ctx), ANT_ECANCELED);
    return ant_ctx_cause(ctx) == -7 ? -8 : ant_ctx_cause(ctx);
}

static void check_cause(const int *errors, int n, int first, int cause)
{
    ant_group group;
    ant_ctx *ctx;

    CHECK_INT(ant_group_init_ctx(&group, &ctx, NULL), 0);
    CHECK_INT(ant_ctx_err(ctx), 0);
    ant_ctx_ref(ctx);
    for (int i = 0; i < n; i++) {
        CHECK_INT(ant_group_go(&group, fail_with, (void *)(intptr_t)errors[i]), 0);
        if (errors[i])
            ant_chan_recv(ant_ctx_done(ctx), NULL); /* so that the next one comes second */
    }
    CHECK_INT(ant_group_wait(&group), first);
    CHECK_INT(ant_ctx_err(ctx), ANT_ECANCELED);
    CHECK_INT(ant_ctx_cause(ctx), cause);
    CHECK_INT(ant_group_wait(&group), first);
    ant_ctx_unref(ctx);
}

/* The others see the error of one, before the wait is over. */
static void error_ends_others(void)
{
    ant_group group;
    ant_ctx *ctx;

    CHECK_INT(ant_group_init_ctx(&group, &ctx, NULL), 0);
    for (int i = 0; i < 5; i++)
        CHECK_INT(ant_group_go(&group, wait_for_end, ctx), 0);
    CHECK_INT(ant_group_go(&group, fail_with, (void *)(intptr_t)-7), 0);
    CHECK_INT(ant_group_wait(&group), -7);
}

static void parent_ends_group(void)
{
    static const char key;
    ant_ctx *parent, *valued, *ctx;
    ant_group group;

    CHECK_INT(ant_ctx_with_cancel(&parent, NULL), 0);
    CHECK_INT(ant_ctx_with_value(&valued, parent, &key, &group), 0);
    CHECK_INT(ant_group_init_ctx(&group, &ctx, valued), 0);
    CHECK(ant_ctx_value(ctx, &key) == &group);
    CHECK_INT(ant_group_go(&group, wait_for_end, ctx), 0);
    ant_ctx_cancel_cause(parent, -EIO);
    CHECK_INT(ant_group_wait(&group), -EIO);

    ant_ctx_unref(valued);
    ant_ctx_unref(parent);
    CHECK_INT(ant_ctx_with_cancel(&parent, NULL), 0);
    CHECK_INT(ant_group_init_ctx(&group, &ctx, parent), 0);
    CHECK_INT(ant_group_go(&group, fail_with, (void *)(intptr_t)-7), 0);
    CHECK_INT(ant_group_wait(&group), -7);
    CHECK_INT(ant_ctx_err(parent), 0);
    ant_ctx_unref(parent);
}

static int run(void *arg)
{
    static const int none[] = {0, 0}, one[] = {-7}, two[] = {0, -7, -8};
    ant_group group;
    ant_ctx *ctx;

    CHECK_INT(ant_group_init_ctx(NULL, &ctx, NULL), -EINVAL);
    CHECK_INT(ant_group_init_ctx(&group, NULL, NULL), -EINVAL);
    for (int i = 0; i < test_scale(500); i++) {
        check_cause(none, 0, 0, ANT_ECANCELED);
        check_cause(none, 2, 0, ANT_ECANCELED);
        check_cause(one, 1, -7, -7);
        check_cause(two, 3, -7, -7);
        error_ends_others();
        parent_ends_group();
    }
    return 0;
}

TEST(group_ctx)
{
    return ant_run(run, NULL, NULL);
}
