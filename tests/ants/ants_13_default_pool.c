/* ants_13_default_pool - row 13: the default pool takes all tasks without making anybody wait; when
 * it was released it takes no more. */
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"
#include "run_both.h"

static ant_waitgroup left;
static atomic_int ran;

static void nap(void *arg)
{
    ant_sleep(10 * ANT_MILLISECOND);
    atomic_fetch_add(&ran, 1);
    ant_waitgroup_done(&left);
}

static int run(void *arg)
{
    int tasks = test_scale(10000);
    ant_pool *pool = ant_default_pool();

    CHECK_INT(ant_pool_cap(pool), INT32_MAX);
    ant_waitgroup_add(&left, tasks);
    for (int i = 0; i < tasks; i++)
        CHECK_INT(ant_submit(nap, NULL), 0);
    CHECK_INT(ant_pool_waiting(pool), 0);
    CHECK(ant_pool_running(pool) <= tasks);
    ant_waitgroup_wait(&left);
    CHECK_INT(atomic_exchange(&ran, 0), tasks);
    CHECK(ant_default_pool() == pool);
    CHECK_INT(ant_pool_release(pool), 0);
    CHECK(ant_pool_is_closed(pool));
    CHECK_INT(ant_submit(nap, NULL), ANT_ECLOSED);
    CHECK_INT(ant_pool_wait(pool), 0);
    CHECK_INT(ant_pool_running(pool), 0);
    CHECK_INT(ant_pool_free(pool), INT32_MAX);
    return 0;
}

TEST(ants_13_default_pool)
{
    return run_both(run);
}
