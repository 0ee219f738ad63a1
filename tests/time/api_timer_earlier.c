/* api_timer_earlier - a timer that is moved earlier again and again is not lost, though the threads
 * that sleep do so until a later one: moved by a plain thread, by a goroutine, with other timers
 * in between. Lost ones are found by the time limit of the test. */
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"

static ant_timer timer, far;
static atomic_int fired;

static void fire(void *arg)
{
    atomic_fetch_add(&fired, 1);
}

static void never(void *arg)
{
    FAIL("an hour has passed");
}

static void move_earlier(bool pause)
{
    ant_duration d = ANT_HOUR;

    atomic_store(&fired, 0);
    CHECK_INT(ant_timer_start(&timer, d, fire, NULL), 0);
    while (d > ANT_MILLISECOND && atomic_load(&fired) == 0) {
        d = d / 7;
        if (pause)
            usleep(100); /* so that they have gone to sleep */
        CHECK(ant_timer_reset(&timer, d) >= 0);
    }
    while (atomic_load(&fired) == 0)
        ant_sleep(ANT_MICROSECOND);
    ant_timer_stop(&timer);
}

static int run(void *arg)
{
    for (int i = 0; i < test_scale(200); i++)
        move_earlier(i % 2);
    return 0;
}

TEST(api_timer_earlier)
{
    CHECK_INT(ant_run(run, NULL, NULL), 0);
    CHECK_INT(ant_start(NULL), 0);
    for (int i = 0; i < test_scale(200); i++) {
        CHECK_INT(ant_timer_start(&far, 2 * ANT_HOUR, never, NULL), 0);
        move_earlier(i % 2);
        CHECK_INT(ant_timer_stop(&far), 1);
    }
    CHECK_INT(ant_stop(), 0);
    return 0;
}
