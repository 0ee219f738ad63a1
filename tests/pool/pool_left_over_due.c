/* pool_left_over_due - a run is stopped while workers of many pools expire, wherever that has got to.
 * In the next run workers expire all the same; and the pools of the run before can be destroyed
 * before, after and while they do; nobody else touches them. */
#include <anthill.h>

#include "hand_clock.h"

enum { POOLS = 24 };

static ant_pool *old[POOLS], *fresh[POOLS];
static int workers[POOLS]; /* of the old ones, when their run was over */
static int round_no;

static void nothing(void *arg)
{
}

static void use(ant_pool **pool)
{
    CHECK_INT(ant_pool_new(pool, 2, &(ant_pool_options){.expiry = 1}), 0);
    CHECK_INT(ant_pool_submit(*pool, nothing, NULL), 0);
    CHECK_INT(ant_pool_wait(*pool), 0);
}

static int leave_over(void *arg)
{
    for (int i = 0; i < POOLS; i++)
        use(&old[i]);
    hand_clock_forward(ANT_MILLISECOND); /* all of them are due */
    for (int i = 0; i < round_no % 8; i++)
        ant_yield();
    return 0;
}

static void destroy_old(int from, int to)
{
    for (int i = from; i < to; i++)
        CHECK_INT(ant_pool_destroy(old[i]), 0);
}

static int next_run(void *arg)
{
    double end = test_now() + 20;

    destroy_old(0, POOLS / 3);
    for (int i = 0; i < POOLS; i++)
        use(&fresh[i]);
    hand_clock_forward(ANT_MILLISECOND);
    destroy_old(POOLS / 3, 2 * POOLS / 3);
    for (int i = 0; i < POOLS; i++) {
        while (ant_pool_running(fresh[i]) > 0) {
            CHECK(test_now() < end);
            ant_yield();
        }
    }
    for (int i = 2 * POOLS / 3; i < POOLS; i++)
        CHECK_INT(ant_pool_running(old[i]), workers[i]);
    hand_clock_forward(ANT_MILLISECOND);
    ant_yield();
    return 0;
}

TEST(pool_left_over_due)
{
    ant__clock = hand_clock;
    hand_clock_stop();
    for (round_no = 0; round_no < test_scale(60); round_no++) {
        CHECK_INT(ant_run(leave_over, NULL, NULL), 0);
        for (int i = 0; i < POOLS; i++)
            workers[i] = ant_pool_running(old[i]);
        CHECK_INT(ant_run(next_run, NULL, NULL), 0);
        destroy_old(2 * POOLS / 3, POOLS);
        for (int i = 0; i < POOLS; i++)
            CHECK_INT(ant_pool_destroy(fresh[i]), 0);
    }
    return 0;
}
