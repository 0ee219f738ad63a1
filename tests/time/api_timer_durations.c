/* api_timer_durations - zero, negative and huge durations: at once, at once, never in our time. */
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"

static atomic_int fired;
static ant_timer at_once[4], never[5];
static const ant_duration short_ones[4] = {0, -1, -ANT_HOUR, INT64_MIN};
static const ant_duration long_ones[5] = {INT64_MAX, INT64_MAX - 1, INT64_MAX / 2,
                                          INT64_MAX / 2 + 1, 100000 * ANT_HOUR};

static void fire(void *arg)
{
    atomic_fetch_add((atomic_int *)arg, 1);
}

static void must_not_fire(void *arg)
{
    FAIL("a timer of %lld ns fired", (long long)*(const ant_duration *)arg);
}

static void sleep_for_ever(void *arg)
{
    ant_sleep(*(const ant_duration *)arg);
    FAIL("a sleep of %lld ns was over", (long long)*(const ant_duration *)arg);
}

static int run(void *arg)
{
    for (int i = 0; i < 4; i++) {
        double before = test_now();

        ant_sleep(short_ones[i]);
        CHECK(test_now() - before < 3600);
        CHECK_INT(ant_timer_start(&at_once[i], short_ones[i], fire, &fired), 0);
    }
    for (int i = 0; i < 5; i++) {
        CHECK_INT(ant_timer_start(&never[i], long_ones[i], must_not_fire, (void *)&long_ones[i]),
                  0);
        CHECK_INT(ant_go(sleep_for_ever, (void *)&long_ones[i]), 0);
    }
    while (atomic_load(&fired) < 4)
        ant_sleep(ANT_MILLISECOND);
    ant_sleep(20 * ANT_MILLISECOND);
    CHECK_INT(atomic_load(&fired), 4);
    for (int i = 0; i < 4; i++)
        CHECK_INT(ant_timer_reset(&at_once[i], short_ones[i]), 0);
    while (atomic_load(&fired) < 8)
        ant_sleep(ANT_MILLISECOND);
    for (int i = 0; i < 5; i++) {
        CHECK_INT(ant_timer_reset(&never[i], long_ones[4 - i]), 1);
        CHECK_INT(ant_timer_stop(&never[i]), 1);
        CHECK_INT(ant_timer_stop(&never[i]), 0);
    }
    return 0;
}

TEST(api_timer_durations)
{
    CHECK_INT(ant_run(run, NULL, NULL), 0);
    return 0;
}
