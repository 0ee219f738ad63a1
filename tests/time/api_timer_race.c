/* api_timer_race - stop and reset racing with the firing, 1000 times 100 timers: of each arming
 * either the function runs once, or a stop or reset says that it kept it from running; never both,
 * never neither. Half of the rounds the stopping is done by a plain thread. */
#include <pthread.h>
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"

enum { TIMERS = 100 };

static struct {
    ant_timer timer;
    atomic_int fired;
    int expected;
} all[TIMERS];

static void fire(void *arg)
{
    atomic_fetch_add((atomic_int *)arg, 1);
}

static void meddle(unsigned random)
{
    for (int i = 0; i < TIMERS; i++) {
        int stopped;

        random = random * 1103515245 + 12345;
        if (random >> 16 & 1)
            stopped = ant_timer_stop(&all[i].timer);
        else
            stopped = ant_timer_reset(&all[i].timer, random >> 17 & 0x7fff);
        CHECK(stopped == 0 || stopped == 1);
        all[i].expected -= stopped;
        all[i].expected += !(random >> 16 & 1); /* the reset armed it anew */
    }
}

static void *meddle_in_thread(void *arg)
{
    meddle(*(unsigned *)arg);
    return NULL;
}

static void check_fired(void)
{
    for (int i = 0; i < TIMERS; i++) {
        while (atomic_load(&all[i].fired) < all[i].expected)
            ant_yield();
        CHECK_INT(atomic_load(&all[i].fired), all[i].expected);
    }
}

static int run(void *arg)
{
    double until = test_now() + torture_seconds(0);

    for (unsigned round = 0; round < (unsigned)test_scale(1000) || test_now() < until; round++) {
        for (int i = 0; i < TIMERS; i++) {
            ant_duration d = round % 5 ? (i * 37 + (int)round * 11) % 60000 : 0;

            CHECK_INT(ant_timer_start(&all[i].timer, d, fire, &all[i].fired), 0);
            all[i].expected++;
        }
        if (round % 2) {
            pthread_t t;

            CHECK_INT(pthread_create(&t, NULL, meddle_in_thread, &round), 0);
            ant_sleep(round % 4 * 10 * ANT_MICROSECOND);
            CHECK_INT(pthread_join(t, NULL), 0);
        } else {
            if (round % 4)
                ant_sleep(20 * ANT_MICROSECOND);
            meddle(round);
        }
        check_fired();
    }
    ant_sleep(5 * ANT_MILLISECOND);
    check_fired(); /* nothing fires late a second time */
    return 0;
}

TEST(api_timer_race)
{
    CHECK_INT(ant_run(run, NULL, NULL), 0);
    return 0;
}
