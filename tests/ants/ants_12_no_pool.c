/* ants_12_no_pool - row 12: what the pools are compared with: one goroutine for each task. All run,
 * and nothing is left. */
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

    ant_waitgroup_add(&left, tasks);
    for (int i = 0; i < tasks; i++)
        CHECK_INT(ant_go(nap, NULL), 0);
    ant_waitgroup_wait(&left);
    CHECK_INT(atomic_exchange(&ran, 0), tasks);
    while (ant_count() > 1)
        ant_sleep(ANT_MILLISECOND);
    return 0;
}

TEST(ants_12_no_pool)
{
    return run_both(run);
}
