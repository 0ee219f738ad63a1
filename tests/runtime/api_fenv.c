/* api_fenv - a goroutine that asked for a floating-point environment of its own keeps its rounding
 * mode across suspension and thread, and the others do not see it. */
#include <fenv.h>

#include <anthill.h>

#include "check.h"

enum { GOROUTINES = 100 };

static const int modes[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
static ant_waitgroup all;
static volatile double one = 1, three = 3;

/* What the mode does, as well as what it is called. */
static void check_mode(int mode)
{
    static const double below = 0x1.5555555555555p-2, above = 0x1.5555555555556p-2;
    double third = one / three;
    double minus = -one / three;

    CHECK_INT(fegetround(), mode);
    CHECK(third == (mode == FE_UPWARD ? above : below));
    CHECK(minus == (mode == FE_DOWNWARD ? -above : -below));
}

static void newborn(void *wg)
{
    check_mode(FE_TONEAREST);
    ant_waitgroup_done(wg);
}

static void goroutine(void *arg)
{
    int mode = modes[(intptr_t)arg % 4];

    check_mode(FE_TONEAREST);
    CHECK_INT(ant_own_fenv(true), 0);
    check_mode(FE_TONEAREST);
    CHECK_INT(fesetround(mode), 0);
    for (int i = 0; i < test_scale(300); i++) {
        ant_waitgroup wg = {0};

        ant_yield();
        check_mode(mode);
        ant_sleep(ANT_MICROSECOND);
        check_mode(mode);
        ant_waitgroup_add(&wg, 1);
        CHECK_INT(ant_go(newborn, &wg), 0);
        ant_waitgroup_wait(&wg);
        check_mode(mode);
    }
    if ((intptr_t)arg % 8 < 4) { /* the others end with what they have */
        CHECK_INT(ant_own_fenv(false), 0);
        check_mode(FE_TONEAREST);
        ant_yield();
        check_mode(FE_TONEAREST);
    }
    ant_waitgroup_done(&all);
}

static int run(void *arg)
{
    ant_waitgroup_add(&all, GOROUTINES);
    for (int i = 0; i < GOROUTINES; i++)
        CHECK_INT(ant_go(goroutine, (void *)(intptr_t)i), 0);
    ant_waitgroup_wait(&all);
    check_mode(FE_TONEAREST);
    return 0;
}

TEST(api_fenv)
{
    CHECK_INT(ant_own_fenv(true), ANT_ENOTGOROUTINE);
    CHECK_INT(ant_run(run, NULL, NULL), 0);
    check_mode(FE_TONEAREST);
    return 0;
}
