/* pool_fifo - who waits longest is served first: goroutines, and after tuning up. A submit that
 * comes while others wait does not pass them, though a worker may just have become free. The same
 * for tasks in the queue: they and those who wait behind them come in order. */
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"

enum { WAITERS = 30 };

static ant_pool *pool;
static atomic_bool gate;
static int order[WAITERS];
static atomic_int next, returned;

static void wait_at_gate(void *arg)
{
    while (!atomic_load(&gate))
        ant_sleep(ANT_MICROSECOND);
}

static void note(void *arg)
{
    order[atomic_fetch_add(&next, 1)] = (int)(intptr_t)arg;
    ant_yield();
}

static void submit_one(void *arg)
{
    CHECK_INT(ant_pool_submit(pool, note, arg), 0);
    atomic_fetch_add(&returned, 1);
}

static int in_line(void)
{
    ant_pool_stats stats;

    CHECK_INT(ant_pool_stats_get(pool, &stats), 0);
    return stats.queued + stats.waiting;
}

static void play(const ant_pool_options *options)
{
    atomic_store(&gate, false);
    atomic_store(&next, 0);
    atomic_store(&returned, 0);
    CHECK_INT(ant_pool_new(&pool, 1, options), 0);
    CHECK_INT(ant_pool_submit(pool, wait_at_gate, NULL), 0);
    for (int i = 0; i < WAITERS; i++) {
        CHECK_INT(ant_go(submit_one, (void *)(intptr_t)i), 0);
        while (in_line() <= i)
            ant_yield();
    }
    atomic_store(&gate, true);
    while (atomic_load(&returned) < WAITERS)
        ant_yield();
    CHECK_INT(ant_pool_destroy(pool), 0);
    for (int i = 0; i < WAITERS; i++)
        CHECK_INT(order[i], i);
}

static atomic_bool stop;
static atomic_int hogs;
static atomic_long hogged;

static void hog_task(void *arg)
{
    atomic_fetch_add(&hogged, 1);
}

static void hog(void *arg)
{
    while (!atomic_load(&stop))
        CHECK_INT(ant_pool_submit(pool, hog_task, NULL), 0);
    atomic_fetch_sub(&hogs, 1);
}

/* Four that submit without end, and one that does so a hundred times: of each of its turns it is
 * known how many of the others could have been before it. */
static void no_starvation(void)
{
    atomic_store(&stop, false);
    atomic_store(&hogs, 4);
    CHECK_INT(ant_pool_new(&pool, 1, NULL), 0);
    for (int i = 0; i < 4; i++)
        CHECK_INT(ant_go(hog, NULL), 0);
    for (int i = 0; i < test_scale(100); i++)
        CHECK_INT(ant_pool_submit(pool, hog_task, NULL), 0);
    atomic_store(&stop, true);
    while (atomic_load(&hogs) > 0)
        ant_yield();
    CHECK_INT(ant_pool_destroy(pool), 0);
}

static int run(void *arg)
{
    for (int i = 0; i < test_scale(40); i++) {
        play(NULL);
        play(&(ant_pool_options){.prealloc = true});
        play(&(ant_pool_options){.queue = 7});
        play(&(ant_pool_options){.queue = WAITERS});
    }
    no_starvation();
    return 0;
}

int main(void)
{
    return ant_run(run, NULL, NULL);
}
