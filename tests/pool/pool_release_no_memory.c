/* pool_release_no_memory - a release with a timeout closes the pool first. If there is no memory to
 * wait with, it says so, and the pool is closed nevertheless.
 *
 * Catches: a release that fails before it has closed anything. */
#include <anthill.h>

#include "base/sys.h"
#include "check.h"

static void nothing(void *arg)
{
}

static int run(void *arg)
{
    ant_pool *pool;

    CHECK_INT(ant_pool_new(&pool, 2, NULL), 0);
    CHECK_INT(ant_pool_submit(pool, nothing, NULL), 0);
    CHECK_INT(ant_pool_wait(pool), 0);
    atomic_store(&ant__fail_times, 1);
    atomic_store(&ant__fail_after, 1);
    CHECK_INT(ant_pool_release_timeout(pool, ANT_HOUR), -ENOMEM);
    CHECK(ant_pool_is_closed(pool));
    CHECK_INT(ant_pool_submit(pool, nothing, NULL), ANT_ECLOSED);
    CHECK_INT(ant_pool_release_timeout(pool, ANT_HOUR), ANT_ECLOSED);
    return ant_pool_destroy(pool);
}

TEST(pool_release_no_memory)
{
    return ant_run(run, NULL, NULL);
}
