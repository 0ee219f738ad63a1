/* pool_queue - tasks that are kept while all workers are busy: so many as the option says, without
 * anybody waiting; the next ones wait, and move up when there is room. A release still runs what
 * was queued, and sends away who waits. */
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"

enum { QUEUE = 5 };

static ant_pool *pool;
static atomic_bool gate, token;
static atomic_int ran, refused, returned;

static void wait_at_gate(void *arg)
{
    while (!atomic_load(&gate) && !atomic_exchange(&token, false))
        ant_sleep(ANT_MICROSECOND);
    atomic_fetch_add(&ran, 1);
}

static void submit_one(void *arg)
{
    int err = ant_pool_submit(pool, wait_at_gate, NULL);

    if (err)
        CHECK_INT(err, ANT_ECLOSED);
    atomic_fetch_add(err ? &refused : &returned, 1);
}

static void check_line(int queued, int waiting)
{
    ant_pool_stats stats;

    do {
        ant_yield();
        CHECK_INT(ant_pool_stats_get(pool, &stats), 0);
    } while (stats.queued != queued || stats.waiting != waiting);
    CHECK_INT(stats.busy, 1);
    CHECK_INT(ant_pool_waiting(pool), waiting);
}

static void begin(ant_pool_options options)
{
    options.queue = QUEUE;
    atomic_store(&gate, false);
    atomic_store(&token, false);
    atomic_store(&ran, 0);
    atomic_store(&refused, 0);
    atomic_store(&returned, 0);
    CHECK_INT(ant_pool_new(&pool, 1, &options), 0);
    CHECK_INT(ant_pool_submit(pool, wait_at_gate, NULL), 0);
    for (int i = 0; i < QUEUE; i++) {
        check_line(i, 0);
        CHECK_INT(i % 2 ? ant_pool_try_submit(pool, wait_at_gate, NULL)
                        : ant_pool_submit(pool, wait_at_gate, NULL),
                  0);
    }
    CHECK_INT(ant_pool_try_submit(pool, wait_at_gate, NULL), ANT_EOVERLOAD);
}

static void moves_up(void)
{
    begin((ant_pool_options){0});
    for (int i = 0; i < 3; i++)
        CHECK_INT(ant_go(submit_one, NULL), 0);
    check_line(QUEUE, 3);
    for (int i = 2; i >= 0; i--) {
        atomic_store(&token, true); /* one task ends */
        check_line(QUEUE, i);
        while (atomic_load(&returned) < 3 - i)
            ant_yield();
    }
    CHECK_INT(ant_pool_try_submit(pool, wait_at_gate, NULL), ANT_EOVERLOAD);
    atomic_store(&token, true);
    check_line(QUEUE - 1, 0);
    CHECK_INT(ant_pool_try_submit(pool, wait_at_gate, NULL), 0);
    atomic_store(&gate, true);
    CHECK_INT(ant_pool_destroy(pool), 0);
    CHECK_INT(atomic_load(&ran), 1 + QUEUE + 4);
}

static void release_runs_it(bool prealloc)
{
    begin((ant_pool_options){.prealloc = prealloc});
    for (int i = 0; i < 3; i++)
        CHECK_INT(ant_go(submit_one, NULL), 0);
    check_line(QUEUE, 3);
    CHECK_INT(ant_pool_release_timeout(pool, 0), ANT_ETIMEOUT);
    while (atomic_load(&refused) < 3)
        ant_yield();
    atomic_store(&gate, true);
    CHECK_INT(ant_pool_wait(pool), 0);
    CHECK_INT(atomic_load(&ran), 1 + QUEUE);
    CHECK_INT(ant_pool_destroy(pool), 0);
}

static void nonblocking(void)
{
    begin((ant_pool_options){.nonblocking = true});
    CHECK_INT(ant_pool_submit(pool, wait_at_gate, NULL), ANT_EOVERLOAD);
    /* More workers take from the queue at once. */
    CHECK_INT(ant_pool_tune(pool, 3), 0);
    while (ant_pool_running(pool) < 3)
        ant_yield();
    atomic_store(&gate, true);
    CHECK_INT(ant_pool_destroy(pool), 0);
    CHECK_INT(atomic_load(&ran), 1 + QUEUE);
}

static int run(void *arg)
{
    for (int i = 0; i < test_scale(60); i++) {
        moves_up();
        release_runs_it(i % 2);
        nonblocking();
    }
    return 0;
}

TEST(pool_queue)
{
    return ant_run(run, NULL, NULL);
}
