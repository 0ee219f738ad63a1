/* api_sleep_same_tick - thousands of goroutines sleep until the same moment, so many that their timers
 * fire in several goes. The moment is the one at which timers come down from a higher level of the
 * wheel. All of them wake up. */
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"
#include "runtime/runtime.h"

/* So often do they come down: when level 0 has come round. */
#define ROUND ((ant_duration)1 << (ANT__WHEEL_TICK_BITS + ANT__WHEEL_L0_BITS))

static ant_waitgroup all;
static ant_time until;
static atomic_int early;

static void sleeper(void *arg)
{
    ant_sleep(until - ant_now());
    atomic_fetch_add(&early, ant_now() < until);
    ant_waitgroup_done(&all);
}

static int run(void *arg)
{
    int n = test_scale(3000);

    for (int round = 0; round < 5; round++) {
        until = (ant_now() / ROUND + 3) * ROUND - 2 * ANT_MICROSECOND;
        ant_waitgroup_add(&all, n);
        for (int i = 0; i < n; i++)
            CHECK_INT(ant_go(sleeper, NULL), 0);
        ant_waitgroup_wait(&all);
        CHECK_INT(atomic_load(&early), 0);
    }
    return 0;
}

TEST(api_sleep_same_tick)
{
    return ant_run(run, NULL, NULL);
}
