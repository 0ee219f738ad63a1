/* api_fenv_common - goroutines begin with the floating-point environment of ant_start's caller, in
 * all threads, and go back to it from one of their own. */
#include <fenv.h>

#include <anthill.h>

#include "check.h"

static void goroutine(void *wg)
{
    CHECK_INT(fegetround(), FE_UPWARD);
    ant_yield();
    CHECK_INT(fegetround(), FE_UPWARD);
    CHECK_INT(ant_own_fenv(true), 0);
    CHECK_INT(ant_own_fenv(true), 0); /* it is a switch, not a counter */
    CHECK_INT(fegetround(), FE_UPWARD);
    CHECK_INT(fesetround(FE_DOWNWARD), 0);
    ant_sleep(ANT_MICROSECOND);
    CHECK_INT(fegetround(), FE_DOWNWARD);
    CHECK_INT(ant_own_fenv(false), 0);
    CHECK_INT(fegetround(), FE_UPWARD);
    CHECK_INT(ant_own_fenv(false), 0);
    ant_yield();
    CHECK_INT(fegetround(), FE_UPWARD);
    ant_waitgroup_done(wg);
}

TEST(api_fenv_common)
{
    static ant_waitgroup wg;

    CHECK_INT(fesetround(FE_UPWARD), 0);
    CHECK_INT(ant_start(NULL), 0);
    CHECK_INT(fesetround(FE_TONEAREST), 0);
    ant_waitgroup_add(&wg, 200);
    for (int i = 0; i < 200; i++)
        CHECK_INT(ant_go(goroutine, &wg), 0);
    ant_waitgroup_wait(&wg);
    CHECK_INT(fegetround(), FE_TONEAREST);
    CHECK_INT(ant_stop(), 0);
    return 0;
}
