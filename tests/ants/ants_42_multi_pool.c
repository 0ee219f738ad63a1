/* ants_42_multi_pool - row 42: several pools as one: what new refuses; filling all of them evenly
 * by both strategies; all figures, as sums and one by one; release and reboot; tuning what is
 * closed. */
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"
#include "run_both.h"

enum { POOLS = 10, EACH = 5, ALL = POOLS * EACH };

static atomic_int stop;

static void spin(void *arg)
{
    while (!atomic_load(&stop))
        ant_yield();
}

static void bad_arguments(void)
{
    const ant_pool_options bad = {.expiry = -1};
    ant_multi_pool *pool;

    CHECK_INT(ant_multi_pool_new(&pool, -1, 10, (enum ant_strategy)8, NULL), ANT_EMULTISIZE);
    CHECK_INT(ant_multi_pool_new(&pool, 10, -1, (enum ant_strategy)8, NULL), ANT_ESTRATEGY);
    CHECK_INT(ant_multi_pool_new(&pool, 10, 10, ANT_ROUND_ROBIN, &bad), ANT_EPOOLEXPIRY);
}

static void check_one(ant_multi_pool *pool, int index, int running)
{
    int n;

    CHECK_INT(ant_multi_pool_waiting_by_index(pool, index, &n), 0);
    CHECK_INT(n, 0);
    CHECK_INT(ant_multi_pool_running_by_index(pool, index, &n), 0);
    CHECK_INT(n, running);
    CHECK_INT(ant_multi_pool_free_by_index(pool, index, &n), 0);
    CHECK_INT(n, EACH - running);
}

static void check_bad_index(ant_multi_pool *pool, int index)
{
    int waiting = 0, running = 0, free = 0;

    CHECK_INT(ant_multi_pool_waiting_by_index(pool, index, &waiting), ANT_EPOOLINDEX);
    CHECK_INT(ant_multi_pool_running_by_index(pool, index, &running), ANT_EPOOLINDEX);
    CHECK_INT(ant_multi_pool_free_by_index(pool, index, &free), ANT_EPOOLINDEX);
    CHECK_INT(waiting, -1);
    CHECK_INT(running, -1);
    CHECK_INT(free, -1);
}

/* The first one of a fresh or rebooted pool goes to index 0. */
static void fill(ant_multi_pool *pool)
{
    for (int i = 0; i < ALL; i++) {
        CHECK_INT(ant_multi_pool_submit(pool, spin, NULL), 0);
        if (i == 0)
            check_one(pool, 0, 1);
    }
}

static void check_full(ant_multi_pool *pool)
{
    CHECK_INT(ant_multi_pool_waiting(pool), 0);
    CHECK_INT(ant_multi_pool_running(pool), ALL);
    CHECK_INT(ant_multi_pool_free(pool), 0);
    CHECK_INT(ant_multi_pool_cap(pool), ALL);
    CHECK(!ant_multi_pool_is_closed(pool));
    for (int i = 0; i < POOLS; i++)
        check_one(pool, i, EACH);
    CHECK_INT(ant_multi_pool_try_submit(pool, spin, NULL), ANT_EOVERLOAD);
}

static void close_all(ant_multi_pool *pool)
{
    CHECK_INT(ant_multi_pool_release_timeout(pool, ANT_MINUTE), 0);
    CHECK_INT(ant_multi_pool_release_timeout(pool, ANT_MINUTE), ANT_ECLOSED);
    CHECK_INT(ant_multi_pool_release(pool), ANT_ECLOSED);
    CHECK_INT(ant_multi_pool_submit(pool, NULL, NULL), ANT_ECLOSED);
    CHECK_INT(ant_multi_pool_submit(pool, spin, NULL), ANT_ECLOSED);
    CHECK_INT(ant_multi_pool_running(pool), 0);
    CHECK(ant_multi_pool_is_closed(pool));
}

static void round_trip(ant_multi_pool *pool)
{
    atomic_store(&stop, 0);
    check_bad_index(pool, -1);
    check_bad_index(pool, POOLS);
    check_bad_index(pool, POOLS + 1);
    fill(pool);
    check_full(pool);
    atomic_store(&stop, 1);
    close_all(pool);
}

static void both_rounds(enum ant_strategy strategy)
{
    ant_multi_pool *pool;

    CHECK_INT(ant_multi_pool_new(&pool, POOLS, EACH, strategy, NULL), 0);
    round_trip(pool);
    CHECK_INT(ant_multi_pool_reboot(pool), 0);
    round_trip(pool);
    CHECK_INT(ant_multi_pool_tune(pool, 2 * EACH), 0);
    CHECK_INT(ant_multi_pool_cap(pool), 2 * ALL);
    CHECK_INT(ant_multi_pool_destroy(pool), 0);
}

static int run(void *arg)
{
    bad_arguments();
    both_rounds(ANT_ROUND_ROBIN);
    both_rounds(ANT_LEAST_TASKS);
    return 0;
}

TEST(ants_42_multi_pool)
{
    return run_both(run);
}
