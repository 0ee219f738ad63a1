/* api_timer_moved - a hundred timers moved to and fro at random keep to their last time: none fires
 * before it, each fires once. */
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"

enum { TIMERS = 100 };

static struct {
    ant_timer timer;
    _Atomic ant_time due;
    atomic_int fired;
} all[TIMERS];

static void fire(void *arg)
{
    int i = (int)(intptr_t)arg;

    CHECK(ant_now() >= atomic_load(&all[i].due));
    atomic_fetch_add(&all[i].fired, 1);
}

static int run(void *arg)
{
    unsigned random = 7;

    for (int i = 0; i < TIMERS; i++) {
        atomic_store(&all[i].due, INT64_MAX);
        CHECK_INT(ant_timer_start(&all[i].timer, ANT_HOUR, fire, (void *)(intptr_t)i), 0);
    }
    for (int n = 0; n < test_scale(100000); n++) {
        int i;

        random = random * 1103515245 + 12345;
        i = (int)(random >> 16) % TIMERS;
        random = random * 1103515245 + 12345;
        CHECK_INT(ant_timer_reset(&all[i].timer, ANT_MINUTE * (1 + (random >> 16) % 100)), 1);
    }
    for (int i = TIMERS - 1; i >= 0; i--) {
        ant_duration d = i * 200 * ANT_MICROSECOND;

        atomic_store(&all[i].due, ant_now() + d);
        CHECK_INT(ant_timer_reset(&all[i].timer, d), 1);
    }
    for (int i = 0; i < TIMERS; i++) {
        while (atomic_load(&all[i].fired) == 0)
            ant_sleep(100 * ANT_MICROSECOND);
    }
    ant_sleep(5 * ANT_MILLISECOND);
    for (int i = 0; i < TIMERS; i++)
        CHECK_INT(atomic_load(&all[i].fired), 1);
    return 0;
}

TEST(api_timer_moved)
{
    CHECK_INT(ant_run(run, NULL, NULL), 0);
    return 0;
}
