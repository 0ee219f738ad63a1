/* ants_26_reboot_default_pool - row 26: the default pool can be released and opened again. */
#include <errno.h>

#include <anthill.h>

#include "check.h"
#include "run_both.h"

static void nap(void *arg)
{
    ant_sleep(ANT_MILLISECOND);
    ant_waitgroup_done(arg);
}

static int run(void *arg)
{
    ant_waitgroup left = {0};
    ant_pool *pool = ant_default_pool();

    CHECK_INT(ant_pool_reboot(pool), 0); /* it is open: nothing happens */
    CHECK_INT(ant_submit(NULL, NULL), -EINVAL);
    ant_waitgroup_add(&left, 1);
    CHECK_INT(ant_submit(nap, &left), 0);
    ant_waitgroup_wait(&left);
    CHECK_INT(ant_pool_release_timeout(pool, ANT_MINUTE), 0);
    CHECK_INT(ant_pool_running(pool), 0);
    CHECK_INT(ant_submit(NULL, NULL), ANT_ECLOSED);
    CHECK_INT(ant_submit(nap, &left), ANT_ECLOSED);

    CHECK_INT(ant_pool_reboot(pool), 0);
    CHECK(ant_default_pool() == pool);
    CHECK(!ant_pool_is_closed(pool));
    ant_waitgroup_add(&left, 1);
    CHECK_INT(ant_submit(nap, &left), 0);
    ant_waitgroup_wait(&left);
    CHECK_INT(ant_pool_release(pool), 0);
    CHECK_INT(ant_pool_release(pool), ANT_ECLOSED);
    return 0;
}

TEST(ants_26_reboot_default_pool)
{
    return run_both(run);
}
