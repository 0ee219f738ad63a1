/* pool_left_over - pools of a run that was stopped while their workers were busy, idle or about
 * to expire, while tasks were queued and submitters waited, can be destroyed afterwards, from no
 * run or from the next one, and all their memory is free. */
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"

enum { POOLS = 4 };

static ant_pool *pools[POOLS];
static ant_multi_pool *multi;
static atomic_int started;

static void sleep_on(void *arg)
{
    atomic_fetch_add(&started, 1);
    ant_sleep(ANT_HOUR);
}

static void nothing(void *arg)
{
}

static void submit_one(void *arg)
{
    ant_pool_submit(arg, sleep_on, NULL);
    FAIL("it returned");
}

static const ant_pool_options options[POOLS] = {
    {.queue = 3},
    {.prealloc = true},
    {.expiry = ANT_MILLISECOND},
    {.min_workers = 2, .stack_size = 16384},
};

static void use(int i)
{
    static const char large[1000];

    CHECK_INT(ant_pool_new(&pools[i], 3, &options[i]), 0);
    CHECK_INT(ant_pool_submit(pools[i], nothing, NULL), 0);
    for (int k = 0; k < 3; k++)
        CHECK_INT(ant_pool_submit_copy(pools[i], sleep_on, large, sizeof large), 0);
    for (int k = 0; k < options[i].queue; k++)
        CHECK_INT(ant_pool_submit_copy(pools[i], sleep_on, large, sizeof large), 0);
    CHECK_INT(ant_go(submit_one, pools[i]), 0);
    while (ant_pool_waiting(pools[i]) == 0)
        ant_yield();
}

static int run(void *arg)
{
    atomic_store(&started, 0);
    for (int i = 0; i < POOLS; i++)
        use(i);
    CHECK_INT(ant_multi_pool_new(&multi, 3, 1, ANT_ROUND_ROBIN, NULL), 0);
    for (int i = 0; i < 3; i++)
        CHECK_INT(ant_multi_pool_submit(multi, sleep_on, NULL), 0);
    while (atomic_load(&started) < POOLS * 3 + 3)
        ant_yield();
    return 0;
}

static int destroy_all(void *arg)
{
    for (int i = 0; i < POOLS; i++)
        CHECK_INT(ant_pool_destroy(pools[i]), 0);
    CHECK_INT(ant_multi_pool_destroy(multi), 0);
    return 0;
}

static void start_and_stop(void)
{
    CHECK_INT(ant_start(NULL), 0);
    run(NULL);
    CHECK_INT(ant_stop(), 0);
}

TEST(pool_left_over)
{
    for (int i = 0; i < test_scale(20); i++) {
        CHECK_INT(ant_run(run, NULL, NULL), 0);
        destroy_all(NULL);
        CHECK_INT(ant_run(run, NULL, NULL), 0);
        CHECK_INT(ant_run(destroy_all, NULL, NULL), 0);
        start_and_stop();
        destroy_all(NULL);
    }
    return 0;
}
