/* pool_shrink - after a burst of tasks, for which many workers were made, there are only a few
 * tasks, one at a time, but a steady stream of them: the pool shrinks to what it needs, also if it
 * is preallocated. The workers would all be kept if they took turns. */
#include <anthill.h>

#include "hand_clock.h"

enum { SIZE = 40, EXPIRIES = 10, TASKS_EACH = 2 * SIZE };

static const ant_duration expiry = 20 * ANT_MILLISECOND;
static ant_pool *pool;
static atomic_int arrived;

static void meet(void *arg)
{
    atomic_fetch_add(&arrived, 1);
    while (atomic_load(&arrived) < SIZE)
        ant_yield();
}

static void nothing(void *arg)
{
}

static void burst(void)
{
    atomic_store(&arrived, 0);
    for (int i = 0; i < SIZE; i++)
        CHECK_INT(ant_pool_submit(pool, meet, NULL), 0);
    CHECK_INT(ant_pool_wait(pool), 0);
    CHECK_INT(ant_pool_running(pool), SIZE);
}

static void light_load(void)
{
    for (int i = 0; i < EXPIRIES * TASKS_EACH; i++) {
        CHECK_INT(ant_pool_submit(pool, nothing, NULL), 0);
        CHECK_INT(ant_pool_wait(pool), 0);
        hand_clock_forward(expiry / TASKS_EACH);
        ant_yield();
    }
}

/* most: there may be as many as Ps, since each has some of its own; but not of a ring. */
static void shrinks(bool prealloc, int most)
{
    CHECK_INT(
        ant_pool_new(&pool, SIZE, &(ant_pool_options){.expiry = expiry, .prealloc = prealloc}), 0);
    for (int i = 0; i < 2; i++) {
        double end = test_now() + 20;

        burst();
        do
            light_load();
        while (ant_pool_running(pool) > most && test_now() < end);
        if (ant_pool_running(pool) > most)
            FAIL("%d workers are left, not %d", ant_pool_running(pool), most);
    }
    CHECK_INT(ant_pool_destroy(pool), 0);
}

static int run(void *arg)
{
    hand_clock_stop();
    shrinks(true, 1);
    shrinks(false, 2 * ant_procs());
    return 0;
}

TEST(pool_shrink)
{
    ant__clock = hand_clock;
    return ant_run(run, NULL, NULL);
}
