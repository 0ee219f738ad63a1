/* ants_27_reboot - row 27: pools of all kinds take tasks, take none after the release, and take
 * some again after the reboot. */
#include <anthill.h>

#include "check.h"
#include "run_both.h"

static ant_waitgroup left;

static void nap(int ms)
{
    ant_sleep(ms * ANT_MILLISECOND);
    ant_waitgroup_done(&left);
}

static void nap_one(void *arg)
{
    nap(1);
}

static void nap_by_copy(void *arg)
{
    nap(*(int *)arg);
}

ANT_FUNC_POOL_DEFINE(nap_pool, int);

static int invoke_copy(const nap_pool *pool, int ms)
{
    return ant_func_pool_invoke(nap_pool_any(pool), &ms);
}

static void submit_and_wait(ant_pool *pool)
{
    ant_waitgroup_add(&left, 1);
    CHECK_INT(ant_pool_submit(pool, nap_one, NULL), 0);
    ant_waitgroup_wait(&left);
}

static void plain(void)
{
    ant_pool *pool;

    CHECK_INT(ant_pool_new(&pool, 10, NULL), 0);
    submit_and_wait(pool);
    CHECK_INT(ant_pool_release_timeout(pool, ANT_MINUTE), 0);
    CHECK_INT(ant_pool_submit(pool, NULL, NULL), ANT_ECLOSED);
    CHECK_INT(ant_pool_submit(pool, nap_one, NULL), ANT_ECLOSED);
    CHECK_INT(ant_pool_reboot(pool), 0);
    submit_and_wait(pool);
    CHECK_INT(ant_pool_destroy(pool), 0);
}

static void invoke_and_wait(nap_pool *pool, int (*invoke)(const nap_pool *, int))
{
    ant_waitgroup_add(&left, 1);
    CHECK_INT(invoke(pool, 1), 0);
    ant_waitgroup_wait(&left);
}

static void use_and_destroy(nap_pool *pool, int (*invoke)(const nap_pool *, int))
{
    invoke_and_wait(pool, invoke);
    CHECK_INT(ant_func_pool_release_timeout(nap_pool_any(pool), ANT_MINUTE), 0);
    CHECK_INT(ant_func_pool_invoke(nap_pool_any(pool), NULL), ANT_ECLOSED);
    CHECK_INT(invoke(pool, 1), ANT_ECLOSED);
    CHECK_INT(ant_func_pool_reboot(nap_pool_any(pool)), 0);
    invoke_and_wait(pool, invoke);
    CHECK_INT(nap_pool_destroy(pool), 0);
}

static int run(void *arg)
{
    nap_pool pool = {0};

    plain();
    CHECK_INT(ant_func_pool_new(&pool.pool, 10, nap_by_copy, sizeof(int), NULL), 0);
    use_and_destroy(&pool, invoke_copy);
    CHECK_INT(nap_pool_new(&pool, 10, nap, NULL), 0);
    use_and_destroy(&pool, nap_pool_invoke);
    return 0;
}

TEST(ants_27_reboot)
{
    return run_both(run);
}
