/* group_set_limit - the limit can be set, changed and taken away while nothing runs; while a
 * function runs that is refused, and changes nothing. */
#include <errno.h>

#include <anthill.h>

#include "check.h"

static ant_waitgroup gate;

static int wait_at_gate(void *arg)
{
    ant_waitgroup_wait(&gate);
    return 0;
}

/* How many are let in, up to 100. */
static int let_in(ant_group *group)
{
    int n = 0;

    ant_waitgroup_add(&gate, 1);
    while (n < 100 && ant_group_try_go(group, wait_at_gate, NULL) == 0)
        n++;
    for (int limit = -1; limit < 5 && n > 0; limit++)
        CHECK_INT(ant_group_set_limit(group, limit), -EBUSY);
    ant_waitgroup_done(&gate);
    CHECK_INT(ant_group_wait(group), 0);
    return n;
}

static int run(void *arg)
{
    ant_group group = {0};

    CHECK_INT(let_in(&group), 100);
    for (int i = 0; i < test_scale(200); i++) {
        CHECK_INT(ant_group_set_limit(&group, 3), 0);
        CHECK_INT(let_in(&group), 3);
        CHECK_INT(let_in(&group), 3);
        CHECK_INT(ant_group_set_limit(&group, 1), 0);
        CHECK_INT(let_in(&group), 1);
        CHECK_INT(ant_group_set_limit(&group, 0), 0);
        CHECK_INT(let_in(&group), 0);
        CHECK_INT(ant_group_set_limit(&group, INT64_MAX), 0);
        CHECK_INT(let_in(&group), 100);
        CHECK_INT(ant_group_set_limit(&group, 7), 0);
        CHECK_INT(let_in(&group), 7);
        CHECK_INT(ant_group_set_limit(&group, -1), 0);
        CHECK_INT(let_in(&group), 100);
    }
    return 0;
}

TEST(group_set_limit)
{
    return ant_run(run, NULL, NULL);
}
