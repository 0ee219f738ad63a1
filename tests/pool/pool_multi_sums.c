/* pool_multi_sums - the figures of several pools together: no limit is -1 and not the sum of so
 * many -1, and limits whose sum no int can hold are not told as something negative or small. */
#include <limits.h>

#include <anthill.h>

#include "check.h"

static void nothing(void *arg)
{
}

static void play(int n, int each, int cap)
{
    ant_multi_pool *pool;
    ant_pool_stats stats;
    int one;

    CHECK_INT(ant_multi_pool_new(&pool, n, each, ANT_LEAST_TASKS, NULL), 0);
    CHECK_INT(ant_multi_pool_cap(pool), cap);
    CHECK_INT(ant_multi_pool_free(pool), cap);
    CHECK_INT(ant_multi_pool_running(pool), 0);
    CHECK_INT(ant_multi_pool_stats_get(pool, &stats), 0);
    CHECK_INT(stats.capacity, cap);
    CHECK_INT(ant_multi_pool_free_by_index(pool, n - 1, &one), 0);
    CHECK_INT(one, each > 0 ? each : -1);
    CHECK_INT(ant_multi_pool_submit(pool, nothing, NULL), 0);
    CHECK_INT(ant_multi_pool_destroy(pool), 0);
}

static int run(void *arg)
{
    play(3, 5, 15);
    play(3, 0, -1);
    play(3, -7, -1);
    play(1, INT_MAX, INT_MAX);
    play(2, INT_MAX, INT_MAX);
    play(3, INT_MAX / 2, INT_MAX);
    return 0;
}

TEST(pool_multi_sums)
{
    return ant_run(run, NULL, NULL);
}
