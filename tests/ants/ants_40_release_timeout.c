/* ants_40_release_timeout - row 40: a release that waits for the tasks returns when they have
 * ended; and beyond ants: one that runs out of time leaves the pool closed, and waiting goes on. */
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"
#include "run_both.h"

enum { TASKS = 5 };

static ant_chan *gate;
static atomic_int ended;

static void pass_gate(int ms)
{
    ant_chan_recv(gate, NULL);
    ant_sleep(ms * ANT_MILLISECOND);
    atomic_fetch_add(&ended, 1);
}

static void pass_gate_now(void *arg)
{
    pass_gate(20);
}

static void pass_gate_by_copy(void *arg)
{
    pass_gate(*(int *)arg);
}

ANT_FUNC_POOL_DEFINE(gate_pool, int);

static int invoke_copy(const gate_pool *pool, int ms)
{
    return ant_func_pool_invoke(gate_pool_any(pool), &ms);
}

static void plain(bool in_time)
{
    ant_pool *pool;

    CHECK_INT(ant_chan_new(&gate, 0, 0), 0);
    CHECK_INT(ant_pool_new(&pool, 10, NULL), 0);
    for (int i = 0; i < TASKS; i++)
        CHECK_INT(ant_pool_submit(pool, pass_gate_now, NULL), 0);
    CHECK_INT(ant_pool_running(pool), TASKS);
    if (in_time)
        ant_chan_close(gate);
    CHECK_INT(ant_pool_release_timeout(pool, in_time ? ANT_MINUTE : ANT_MILLISECOND),
              in_time ? 0 : ANT_ETIMEOUT);
    CHECK(ant_pool_is_closed(pool));
    CHECK_INT(ant_pool_running(pool), in_time ? 0 : TASKS);
    CHECK_INT(ant_pool_release_timeout(pool, ANT_MINUTE), ANT_ECLOSED);
    if (!in_time)
        ant_chan_close(gate);
    CHECK_INT(ant_pool_wait(pool), 0);
    CHECK_INT(ant_pool_running(pool), 0);
    CHECK_INT(atomic_exchange(&ended, 0), TASKS);
    CHECK_INT(ant_pool_destroy(pool), 0);
    CHECK_INT(ant_chan_destroy(gate), 0);
}

static void use_and_destroy(gate_pool *pool, int (*invoke)(const gate_pool *, int))
{
    ant_func_pool *any = gate_pool_any(pool);

    CHECK_INT(ant_chan_new(&gate, 0, 0), 0);
    for (int i = 0; i < TASKS; i++)
        CHECK_INT(invoke(pool, 20), 0);
    CHECK_INT(ant_func_pool_running(any), TASKS);
    ant_chan_close(gate);
    CHECK_INT(ant_func_pool_release_timeout(any, ANT_MINUTE), 0);
    CHECK_INT(atomic_exchange(&ended, 0), TASKS);
    CHECK_INT(ant_func_pool_running(any), 0);
    CHECK_INT(ant_func_pool_release_timeout(any, ANT_MINUTE), ANT_ECLOSED);
    CHECK_INT(gate_pool_destroy(pool), 0);
    CHECK_INT(ant_chan_destroy(gate), 0);
}

static int run(void *arg)
{
    gate_pool pool = {0};

    plain(true);
    plain(false);
    CHECK_INT(ant_func_pool_new(&pool.pool, 10, pass_gate_by_copy, sizeof(int), NULL), 0);
    use_and_destroy(&pool, invoke_copy);
    CHECK_INT(gate_pool_new(&pool, 10, pass_gate, NULL), 0);
    use_and_destroy(&pool, gate_pool_invoke);
    return 0;
}

TEST(ants_40_release_timeout)
{
    return run_both(run);
}
