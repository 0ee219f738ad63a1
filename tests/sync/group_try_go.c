/* group_try_go - TestTryGo of Go's errgroup: as many as the limit are let in, the next is refused,
 * and let in again when others are done; without a limit none is refused, with a limit of none all
 * are. */
#include <errno.h>
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"

enum { LIMIT = 42 };

static ant_waitgroup gate;
static atomic_int ran;

static int wait_at_gate(void *arg)
{
    ant_waitgroup_wait(&gate);
    atomic_fetch_add(&ran, 1);
    return 0;
}

static void limited(int limit)
{
    ant_group group = {0};

    CHECK_INT(ant_group_set_limit(&group, limit), 0);
    for (int round = 0; round < 3; round++) {
        atomic_store(&ran, 0);
        ant_waitgroup_add(&gate, 1);
        for (int i = 0; i < limit; i++)
            CHECK_INT(ant_group_try_go(&group, wait_at_gate, NULL), 0);
        for (int i = 0; i < 10; i++)
            CHECK_INT(ant_group_try_go(&group, wait_at_gate, NULL), -EAGAIN);
        ant_waitgroup_done(&gate);
        CHECK_INT(ant_group_wait(&group), 0);
        CHECK_INT(atomic_load(&ran), limit);
    }
}

static void unlimited(void)
{
    ant_group group = {0};

    atomic_store(&ran, 0);
    ant_waitgroup_add(&gate, 1);
    for (int i = 0; i < 1000; i++)
        CHECK_INT(ant_group_try_go(&group, wait_at_gate, NULL), 0);
    ant_waitgroup_done(&gate);
    CHECK_INT(ant_group_wait(&group), 0);
    CHECK_INT(atomic_load(&ran), 1000);
}

/* A waiting ant_group_go would never end, hence it is refused too. */
static void none_allowed(void)
{
    ant_group group = {0};
    ant_ctx *ctx;

    CHECK_INT(ant_group_set_limit(&group, 0), 0);
    for (int i = 0; i < 1024; i++)
        CHECK_INT(ant_group_try_go(&group, wait_at_gate, NULL), -EAGAIN);
    CHECK_INT(ant_group_go(&group, wait_at_gate, NULL), -EINVAL);
    CHECK_INT(ant_ctx_with_cancel(&ctx, NULL), 0);
    CHECK_INT(ant_group_go_ctx(&group, wait_at_gate, NULL, ctx), -EINVAL);
    ant_ctx_unref(ctx);
    CHECK_INT(ant_group_wait(&group), 0);
}

static int run(void *arg)
{
    ant_group group = {0};

    CHECK_INT(ant_group_try_go(&group, NULL, NULL), -EINVAL);
    CHECK_INT(ant_group_go(&group, NULL, NULL), -EINVAL);
    CHECK_INT(ant_group_go_ctx(&group, NULL, NULL, NULL), -EINVAL);
    CHECK_INT(ant_group_wait(&group), 0);
    for (int i = 0; i < test_scale(50); i++) {
        limited(LIMIT);
        limited(1);
        unlimited();
    }
    none_allowed();
    return 0;
}

TEST(group_try_go)
{
    return ant_run(run, NULL, NULL);
}
