/* api_fenv_newborn - a goroutine that ends with a floating-point environment of its own leaves it
 * to nobody: not to the one that begins next on its stack, nor to the one that goes on next in its
 * thread. */
#include <fenv.h>

#include <anthill.h>

#include "check.h"

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

static void newborn_that_yields(void *wg)
{
    ant_yield();
    newborn(wg);
}

static void spoiler(void *wg)
{
    check_mode(FE_TONEAREST);
    CHECK_INT(ant_own_fenv(true), 0);
    CHECK_INT(fesetround(FE_UPWARD), 0);
    ant_waitgroup_done(wg);
}

static void spoiler_that_exits(void *wg)
{
    spoiler(wg);
    ant_exit();
}

static int run(void *arg)
{
    static void (*const fns[])(void *) = {newborn, newborn_that_yields, spoiler,
                                          spoiler_that_exits};
    ant_waitgroup wg = {0};

    for (unsigned i = 0; i < (unsigned)test_scale(1000); i++) {
        ant_waitgroup_add(&wg, 16);
        for (unsigned j = 0; j < 16; j++)
            CHECK_INT(ant_go(fns[(i >> j % 4 ^ j) % 4], &wg), 0);
        ant_waitgroup_wait(&wg);
        check_mode(FE_TONEAREST);
    }
    return 0;
}

TEST(api_fenv_newborn)
{
    CHECK_INT(ant_run(run, NULL, NULL), 0);
    return 0;
}
