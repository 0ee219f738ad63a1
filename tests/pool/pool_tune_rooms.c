/* pool_tune_rooms - a tune that makes more rooms than there are submitters in the line: whoever submits next
 * gets one, though the one in the line was not served yet.
 *
 * Catches: taking it that there is no room because somebody waits. */
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"

enum { ROOMS = 10 };

static ant_pool *pool;
static atomic_bool gate;
static ant_waitgroup wg;

static void wait_for_gate(void *arg)
{
    while (!atomic_load(&gate))
        ant_sleep(ANT_MILLISECOND);
}

static void open_gate(void *arg)
{
    atomic_store(&gate, true);
}

static void submit_second(void *arg)
{
    CHECK_INT(ant_pool_submit(pool, wait_for_gate, NULL), 0);
    ant_waitgroup_done(&wg);
}

/* One runs; one is in the line, or in the queue. The first to run waits for the third. */
static void fill(int queue)
{
    const ant_pool_options options = {.queue = queue};

    atomic_store(&gate, false);
    CHECK_INT(ant_pool_new(&pool, 1, &options), 0);
    CHECK_INT(ant_pool_submit(pool, wait_for_gate, NULL), 0);
    ant_waitgroup_add(&wg, 1);
    CHECK_INT(ant_go(submit_second, NULL), 0);
    while (ant_pool_waiting(pool) == 0 && ant_count() > 3 - (queue > 0))
        ant_yield();
    CHECK_INT(ant_pool_tune(pool, ROOMS), 0);
}

static void end(void)
{
    CHECK_INT(ant_pool_wait(pool), 0);
    ant_waitgroup_wait(&wg);
    CHECK_INT(ant_pool_destroy(pool), 0);
}

static int run(void *arg)
{
    for (int queue = 0; queue < 2; queue++) {
        fill(queue);
        CHECK_INT(ant_pool_submit(pool, open_gate, NULL), 0);
        end();
        fill(queue);
        CHECK_INT(ant_pool_try_submit(pool, open_gate, NULL), 0);
        end();
    }
    return 0;
}

TEST(pool_tune_rooms)
{
    CHECK_INT(ant_run(run, NULL, NULL), 0);
    return 0;
}
