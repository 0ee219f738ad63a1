/* api_fenv_try - a panic brings back the rounding mode that held when ant_try was called. */
#include <fenv.h>

#include <anthill.h>

#include "check.h"

static void change_and_panic(void *arg)
{
    CHECK_INT(fegetround(), FE_DOWNWARD);
    CHECK_INT(fesetround(FE_UPWARD), 0);
    ant_panic("x");
}

static int run(void *arg)
{
    CHECK_INT(ant_own_fenv(true), ant_id() ? 0 : ANT_ENOTGOROUTINE);
    CHECK_INT(fesetround(FE_DOWNWARD), 0);
    CHECK_INT(ant_try(change_and_panic, NULL, NULL), ANT_EPANIC);
    CHECK_INT(fegetround(), FE_DOWNWARD);
    ant_yield();
    CHECK_INT(fegetround(), FE_DOWNWARD);
    return 0;
}

TEST(api_fenv_try)
{
    CHECK_INT(ant_run(run, NULL, NULL), 0);
    CHECK_INT(fegetround(), FE_TONEAREST);
    CHECK_INT(run(NULL), 0); /* the same in a plain thread */
    return 0;
}
