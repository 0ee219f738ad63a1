/* api_sleep_order - on one P sleepers wake in the order of their times, however late the machine
 * lets us look at the clock. They fall asleep in another order, while the clock stands still, so
 * that their times are exact. */
#include <anthill.h>

#include "hand_clock.h"
#include "one_p.h"

enum { SLEEPERS = 200 };

static ant_waitgroup wg;
static int asleep, woken;

static void sleeper(void *arg)
{
    int place = (int)(intptr_t)arg;

    asleep++;
    ant_sleep(ANT_MILLISECOND + place * 100 * ANT_MICROSECOND);
    CHECK_INT(woken++, place);
    ant_waitgroup_done(&wg);
}

static int run(void *arg)
{
    ant_waitgroup_add(&wg, SLEEPERS);
    hand_clock_stop();
    for (int i = 0; i < SLEEPERS; i++)
        CHECK_INT(ant_go(sleeper, (void *)(intptr_t)(i * 71 % SLEEPERS)), 0);
    while (asleep < SLEEPERS)
        ant_yield();
    hand_clock_go_on();
    ant_waitgroup_wait(&wg);
    CHECK_INT(woken, SLEEPERS);
    return 0;
}

TEST(api_sleep_order)
{
    ant__clock = hand_clock;
    CHECK_INT(run_on_one_p(run), 0);
    return 0;
}
