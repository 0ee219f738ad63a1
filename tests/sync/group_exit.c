/* group_exit - a function that calls ant_exit counts as returned, without an error: its slot is
 * free again, and the wait does not wait for it. */
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"

static atomic_int active, ran;

static int exits(void *arg)
{
    CHECK_INT(atomic_fetch_add(&active, 1), 0);
    ant_yield();
    atomic_fetch_sub(&active, 1);
    atomic_fetch_add(&ran, 1);
    ant_exit();
}

static int returns(void *arg)
{
    CHECK_INT(atomic_fetch_add(&active, 1), 0);
    ant_yield();
    atomic_fetch_sub(&active, 1);
    atomic_fetch_add(&ran, 1);
    return (int)(intptr_t)arg;
}

static int run(void *arg)
{
    int n = test_scale(5000);
    ant_group group = {0};

    CHECK_INT(ant_group_set_limit(&group, 1), 0);
    for (int i = 0; i < n; i++)
        CHECK_INT(ant_group_go(&group, i % 3 ? exits : returns, NULL), 0);
    CHECK_INT(ant_group_wait(&group), 0);
    CHECK_INT(atomic_load(&ran), n);
    CHECK_INT(ant_group_go(&group, exits, NULL), 0);
    CHECK_INT(ant_group_go(&group, returns, (void *)(intptr_t)-7), 0);
    CHECK_INT(ant_group_go(&group, exits, NULL), 0);
    CHECK_INT(ant_group_wait(&group), -7);
    return 0;
}

TEST(group_exit)
{
    return ant_run(run, NULL, NULL);
}
