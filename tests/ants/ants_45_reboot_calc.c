/* ants_45_reboot_calc - rows 45 and 46: a pool loses no task, neither before it was released and
 * rebooted nor after, as the sum shows. With and without preallocation. */
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"
#include "run_both.h"

enum { TASKS = 1000, SUM = 499500 };

static ant_waitgroup left;
static atomic_int sum;

static void add(void *arg)
{
    atomic_fetch_add(&sum, (int)(intptr_t)arg);
    ant_waitgroup_done(&left);
}

static void add_all(ant_pool *pool)
{
    ant_waitgroup_add(&left, TASKS);
    for (int i = 0; i < TASKS; i++)
        CHECK_INT(ant_pool_submit(pool, add, (void *)(intptr_t)i), 0);
    ant_waitgroup_wait(&left);
    CHECK_INT(atomic_exchange(&sum, 0), SUM);
}

static void twice(const ant_pool_options *options)
{
    ant_pool *pool;

    CHECK_INT(ant_pool_new(&pool, 10, options), 0);
    add_all(pool);
    CHECK_INT(ant_pool_release_timeout(pool, ANT_MINUTE), 0);
    CHECK_INT(ant_pool_reboot(pool), 0);
    add_all(pool);
    CHECK_INT(ant_pool_destroy(pool), 0);
}

static int run(void *arg)
{
    for (int i = test_scale(50); i > 0; i--) {
        twice(NULL);
        twice(&(ant_pool_options){.prealloc = true});
    }
    return 0;
}

TEST(ants_45_reboot_calc)
{
    return run_both(run);
}
