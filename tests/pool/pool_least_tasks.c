/* pool_least_tasks - the strategy counts tasks that run, not workers: a pool with many idle ones is
 * as good as an empty one. And with round robin each pool gets its turn. */
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"

enum { POOLS = 3, EACH = 8 };

static ant_multi_pool *pool;
static atomic_bool gate;

static void wait_at_gate(void *arg)
{
    while (!atomic_load(&gate))
        ant_sleep(ANT_MICROSECOND);
}

static int running(int index)
{
    int n;

    CHECK_INT(ant_multi_pool_running_by_index(pool, index, &n), 0);
    return n;
}

static void fill(int n)
{
    atomic_store(&gate, false);
    for (int i = 0; i < n; i++)
        CHECK_INT(ant_multi_pool_submit(pool, wait_at_gate, NULL), 0);
}

static void drain(void)
{
    atomic_store(&gate, true);
    CHECK_INT(ant_multi_pool_wait(pool), 0);
}

static void check_even(int each)
{
    for (int i = 0; i < POOLS; i++)
        CHECK_INT(running(i), each);
}

/* Always the first of those with the fewest tasks: one after the other. */
static void least(const ant_pool_options *options)
{
    CHECK_INT(ant_multi_pool_new(&pool, POOLS, EACH, ANT_LEAST_TASKS, options), 0);
    fill(1);
    CHECK_INT(running(0), 1);
    CHECK_INT(running(1) + running(2), 0);
    drain();
    /* One idle worker in the first one must not turn the next task away from it. */
    fill(1);
    CHECK_INT(running(0), 1);
    CHECK_INT(running(1) + running(2), 0);
    drain();
    fill(2 * POOLS);
    check_even(2);
    drain();
    fill(2);
    check_even(2);
    drain();
    CHECK_INT(ant_multi_pool_destroy(pool), 0);
}

static void in_turn(void)
{
    CHECK_INT(ant_multi_pool_new(&pool, POOLS, EACH, ANT_ROUND_ROBIN, NULL), 0);
    fill(POOLS * EACH);
    check_even(EACH);
    drain();
    CHECK_INT(ant_multi_pool_destroy(pool), 0);
    if (ant_procs() > 1)
        return; /* each P counts for itself */
    CHECK_INT(ant_multi_pool_new(&pool, POOLS, EACH, ANT_ROUND_ROBIN, NULL), 0);
    for (int i = 0; i < POOLS * EACH; i++) {
        fill(1);
        CHECK_INT(running(i % POOLS), i / POOLS + 1);
    }
    drain();
    CHECK_INT(ant_multi_pool_destroy(pool), 0);
}

static int run(void *arg)
{
    for (int i = 0; i < test_scale(100); i++) {
        least(&(ant_pool_options){.disable_purge = true});
        least(&(ant_pool_options){.disable_purge = true, .prealloc = true});
        in_turn();
    }
    return 0;
}

TEST(pool_least_tasks)
{
    return ant_run(run, NULL, NULL);
}
