/* pool_many - many workers: all busy at a time, then all idle, on small stacks; tuned down to one,
 * and up again; released with all of them idle. */
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"

static ant_pool *pool;
static atomic_bool gate;
static atomic_int active;

static void wait_at_gate(void *arg)
{
    atomic_fetch_add(&active, 1);
    while (!atomic_load(&gate))
        ant_sleep(ANT_MILLISECOND);
    atomic_fetch_sub(&active, 1);
}

static void fill(int n)
{
    atomic_store(&gate, false);
    for (int i = 0; i < n; i++)
        CHECK_INT(ant_pool_submit(pool, wait_at_gate, NULL), 0);
    while (atomic_load(&active) < n)
        ant_yield();
    CHECK_INT(ant_pool_try_submit(pool, wait_at_gate, NULL), ANT_EOVERLOAD);
    atomic_store(&gate, true);
    CHECK_INT(ant_pool_wait(pool), 0);
    CHECK_INT(ant_pool_running(pool), n);
}

static void play(int n, bool prealloc)
{
    ant_pool_stats stats;

    CHECK_INT(ant_pool_new(&pool, n,
                           &(ant_pool_options){
                               .stack_size = 16384, .disable_purge = true, .prealloc = prealloc}),
              0);
    fill(n);
    CHECK_INT(ant_pool_stats_get(pool, &stats), 0);
    CHECK_INT(stats.idle, n);
    if (!prealloc) {
        CHECK_INT(ant_pool_tune(pool, 1), 0);
        CHECK_INT(ant_pool_running(pool), 1);
        CHECK_INT(ant_pool_tune(pool, n), 0);
    }
    fill(n);
    CHECK_INT(ant_pool_release_timeout(pool, 0), 0);
    CHECK_INT(ant_pool_running(pool), 0);
    CHECK_INT(ant_pool_reboot(pool), 0);
    fill(n);
    CHECK_INT(ant_pool_destroy(pool), 0);
}

static int run(void *arg)
{
    play(test_scale(3000), false);
    play(test_scale(3000), true);
    return 0;
}

TEST(pool_many)
{
    return ant_run(run, NULL, NULL);
}
