/* pool_nested_tune - a task that waits for a worker of its own pool does not wait for ever when the
 * pool is tuned down meanwhile and the worker on which it could count is retired: its submit
 * returns, with 0 or ANT_EDEADLOCK. */
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"

static ant_pool *pool;
static atomic_bool gate;
static atomic_int inner, busy;
static atomic_int result;

static void count(void *arg)
{
    atomic_fetch_add(&inner, 1);
}

static void wait_at_gate(void *arg)
{
    atomic_fetch_add(&busy, 1);
    while (!atomic_load(&gate))
        ant_sleep(ANT_MICROSECOND);
}

static void submit_to_own_pool(void *arg)
{
    while (atomic_load(&busy) == 0)
        ant_yield();
    atomic_store(&result, ant_pool_submit(pool, count, NULL));
}

static int run(void *arg)
{
    CHECK_INT(ant_pool_new(&pool, 2, NULL), 0);
    CHECK_INT(ant_pool_submit(pool, wait_at_gate, NULL), 0);
    CHECK_INT(ant_pool_submit(pool, submit_to_own_pool, NULL), 0);
    while (ant_pool_waiting(pool) == 0)
        ant_yield();
    CHECK_INT(ant_pool_tune(pool, 1), 0);
    atomic_store(&gate, true);
    CHECK_INT(ant_pool_wait(pool), 0);
    CHECK(atomic_load(&result) == 0 || atomic_load(&result) == ANT_EDEADLOCK);
    CHECK_INT(atomic_load(&inner), atomic_load(&result) == 0);
    CHECK_INT(ant_pool_destroy(pool), 0);
    return 0;
}

int main(void)
{
    return ant_run(run, NULL, NULL);
}
