/* group_not_running - without a runtime nothing can be started, which costs no slot and is no error
 * of the group; waiting returns at once. The same group works when there is a runtime. */
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"

static atomic_int ran;

static int task(void *arg)
{
    atomic_fetch_add(&ran, 1);
    return 0;
}

TEST(group_not_running)
{
    ant_group group;
    ant_ctx *ctx;

    CHECK_INT(ant_group_init_ctx(&group, &ctx, NULL), 0);
    CHECK_INT(ant_group_set_limit(&group, 1), 0);
    for (int i = 0; i < 3; i++) {
        CHECK_INT(ant_group_go(&group, task, NULL), ANT_ENOTRUNNING);
        CHECK_INT(ant_group_go_ctx(&group, task, NULL, ctx), ANT_ENOTRUNNING);
        CHECK_INT(ant_group_try_go(&group, task, NULL), ANT_ENOTRUNNING);
    }
    CHECK_INT(ant_ctx_err(ctx), 0);
    CHECK_INT(ant_start(NULL), 0);
    for (int i = 0; i < 100; i++)
        CHECK_INT(ant_group_go(&group, task, NULL), 0); /* from a plain thread */
    CHECK_INT(ant_group_wait(&group), 0);
    CHECK_INT(atomic_load(&ran), 100);
    CHECK_INT(ant_stop(), 0);
    CHECK_INT(ant_group_try_go(&group, task, NULL), ANT_ENOTRUNNING);
    CHECK_INT(ant_group_wait(&group), 0);
    return 0;
}
