/* api_timer_busy - timers and sleepers of a P whose goroutine does not come back are served by
 * others: it computes until its own timer has fired. */
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"

static ant_timer timer;
static atomic_int fired, woke;

static void fire(void *arg)
{
    atomic_store(&fired, 1);
}

static void sleeper(void *arg)
{
    ant_sleep(ANT_MILLISECOND);
    atomic_store(&woke, 1);
}

static int run(void *arg)
{
    for (int i = 0; i < test_scale(100); i++) {
        atomic_store(&fired, 0);
        atomic_store(&woke, 0);
        CHECK_INT(ant_go(sleeper, NULL), 0);
        ant_yield();
        CHECK_INT(ant_timer_start(&timer, ANT_MILLISECOND, fire, NULL), 0);
        while (!atomic_load(&fired) || !atomic_load(&woke))
            continue; /* does not enter the runtime */
    }
    return 0;
}

TEST(api_timer_busy)
{
    CHECK_INT(ant_run(run, NULL, NULL), 0);
    return 0;
}
