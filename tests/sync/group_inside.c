/* group_inside - a function of a group may start others of it: the wait is for all of them, a whole
 * tree, and tells the error of a leaf. After a wait more can be started and waited for. */
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"

enum { DEPTH = 8 };

static ant_group group;
static atomic_int nodes;
static int err_of_last_leaf;

static int grow(void *arg)
{
    intptr_t depth = (intptr_t)arg;

    ant_yield();
    if (depth > 0) {
        CHECK_INT(ant_group_go(&group, grow, (void *)(depth - 1)), 0);
        CHECK_INT(ant_group_try_go(&group, grow, (void *)(depth - 1)), 0);
    }
    return atomic_fetch_add(&nodes, 1) == (2 << DEPTH) - 2 ? err_of_last_leaf : 0;
}

static void grow_tree(int err, int expected)
{
    atomic_store(&nodes, 0);
    err_of_last_leaf = err;
    CHECK_INT(ant_group_go(&group, grow, (void *)(intptr_t)DEPTH), 0);
    CHECK_INT(ant_group_wait(&group), expected);
    CHECK_INT(atomic_load(&nodes), (2 << DEPTH) - 1);
}

static int run(void *arg)
{
    for (int i = 0; i < test_scale(50); i++) {
        ant_ctx *ctx;

        CHECK_INT(ant_group_init_ctx(&group, &ctx, NULL), 0);
        grow_tree(0, 0);
        grow_tree(0, 0); /* without a context now, that went with the first wait */
        grow_tree(-7, -7);
        grow_tree(-8, -7);
        grow_tree(0, -7);
        CHECK_INT(ant_group_wait(&group), -7);
    }
    return 0;
}

TEST(group_inside)
{
    return ant_run(run, NULL, NULL);
}
