/* api_sleep_order - on one P sleepers wake in the order of their times, however late the machine
 * lets us look at the clock. They fall asleep in another order, while the clock stands still, so
 * that their times are exact. */
#include <stdatomic.h>

#include <anthill.h>

#include "base/clock.h"
#include "check.h"
#include "one_p.h"

enum { SLEEPERS = 200 };

static _Atomic ant_time stands_at;
static ant_waitgroup wg;
static int asleep, woken;

static ant_time test_clock(void)
{
    ant_time t = atomic_load(&stands_at);

    return t ? t : (ant_time)(test_now() * 1e9);
}

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
    atomic_store(&stands_at, test_clock());
    for (int i = 0; i < SLEEPERS; i++)
        CHECK_INT(ant_go(sleeper, (void *)(intptr_t)(i * 71 % SLEEPERS)), 0);
    while (asleep < SLEEPERS)
        ant_yield();
    atomic_store(&stands_at, 0);
    ant_waitgroup_wait(&wg);
    CHECK_INT(woken, SLEEPERS);
    return 0;
}

int main(void)
{
    CHECK_INT(unsetenv("ANTHILL"), 0);
    ant__clock = test_clock;
    CHECK_INT(run_on_one_p(run), 0);
    return 0;
}
