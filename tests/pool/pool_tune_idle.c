/* pool_tune_idle - a lower limit holds for idle workers too: they are retired by the call, and of
 * many tasks that come then only so many run at a time as the new limit allows. Tuned up again,
 * submitters that wait get workers at once, without anybody finishing. */
#include <errno.h>
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"

enum { MANY = 10 };

static ant_pool *pool;
static atomic_int active, returned;
static atomic_bool gate;

static void wait_at_gate(void *arg)
{
    atomic_fetch_add(&active, 1);
    while (!atomic_load(&gate))
        ant_sleep(ANT_MICROSECOND);
    atomic_fetch_sub(&active, 1);
}

static void submit_one(void *arg)
{
    CHECK_INT(ant_pool_submit(pool, wait_at_gate, NULL), 0);
    atomic_fetch_add(&returned, 1);
}

static void fill(void)
{
    atomic_store(&gate, false);
    atomic_store(&returned, 0);
    for (int i = 0; i < MANY; i++)
        CHECK_INT(ant_go(submit_one, NULL), 0);
}

static void open_gate(void)
{
    atomic_store(&gate, true);
    while (atomic_load(&returned) < MANY)
        ant_yield();
    CHECK_INT(ant_pool_wait(pool), 0);
}

static void await(atomic_int *n, int value)
{
    while (atomic_load(n) != value)
        ant_sleep(10 * ANT_MICROSECOND);
}

static void play(void)
{
    CHECK_INT(ant_pool_tune(pool, MANY), 0);
    fill();
    await(&active, MANY);
    CHECK_INT(ant_pool_free(pool), 0);
    open_gate();
    CHECK_INT(ant_pool_running(pool), MANY);

    CHECK_INT(ant_pool_tune(pool, 1), 0);
    CHECK_INT(ant_pool_running(pool), 1);
    CHECK_INT(ant_pool_cap(pool), 1);
    fill();
    while (ant_pool_waiting(pool) < MANY - 1)
        ant_sleep(10 * ANT_MICROSECOND);
    await(&active, 1);
    await(&returned, 1);

    CHECK_INT(ant_pool_tune(pool, 4), 0);
    await(&active, 4);
    CHECK_INT(ant_pool_waiting(pool), MANY - 4);
    CHECK_INT(ant_pool_running(pool), 4);
    CHECK_INT(ant_pool_tune(pool, 3), 0);
    CHECK_INT(ant_pool_free(pool), -1);
    open_gate();
    CHECK(ant_pool_running(pool) <= 3);
}

static int run(void *arg)
{
    CHECK_INT(ant_pool_new(&pool, MANY, &(ant_pool_options){.disable_purge = true}), 0);
    for (int i = 0; i < test_scale(100); i++)
        play();
    CHECK_INT(ant_pool_tune(pool, 0), -EINVAL);
    CHECK_INT(ant_pool_tune(pool, -1), -EINVAL);
    CHECK_INT(ant_pool_destroy(pool), 0);
    CHECK_INT(ant_pool_new(&pool, 0, NULL), 0);
    CHECK_INT(ant_pool_tune(pool, 3), -EOPNOTSUPP);
    CHECK_INT(ant_pool_destroy(pool), 0);
    CHECK_INT(ant_pool_new(&pool, 5, &(ant_pool_options){.prealloc = true}), 0);
    CHECK_INT(ant_pool_tune(pool, 3), -EOPNOTSUPP);
    CHECK_INT(ant_pool_destroy(pool), 0);
    return 0;
}

TEST(pool_tune_idle)
{
    return ant_run(run, NULL, NULL);
}
