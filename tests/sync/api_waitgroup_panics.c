/* api_waitgroup_panics - Go's TestWaitGroupMisuse and its kin: a counter below zero or above
 * INT32_MAX is a panic, which can be caught, in goroutines and in plain threads. */
#include <limits.h>

#include <anthill.h>

#include "check.h"

static void one_done_too_many(void *arg)
{
    ant_waitgroup wg = {0};

    ant_waitgroup_add(&wg, 1);
    ant_waitgroup_done(&wg);
    ant_waitgroup_done(&wg);
    FAIL("should panic");
}

static void negative(void *arg)
{
    ant_waitgroup wg = {0};

    ant_waitgroup_add(&wg, 5);
    ant_waitgroup_add(&wg, -6);
    FAIL("should panic");
}

static void lowest(void *arg)
{
    ant_waitgroup wg = {0};

    ant_waitgroup_add(&wg, INT_MIN);
    FAIL("should panic");
}

static void too_many(void *arg)
{
    ant_waitgroup wg = {0};

    ant_waitgroup_add(&wg, INT_MAX);
    ant_waitgroup_add(&wg, -1);
    ant_waitgroup_add(&wg, 1); /* still allowed */
    ant_waitgroup_add(&wg, 1);
    FAIL("should panic");
}

static void check_panics(void (*fn)(void *), const char *message)
{
    ant_panic_info info;

    CHECK_INT(ant_try(fn, NULL, &info), ANT_EPANIC);
    CHECK_HAS(info.message, "ant_waitgroup: ");
    CHECK_HAS(info.message, message);
    CHECK_INT(info.goroutine, ant_id());
}

static int run(void *arg)
{
    ant_waitgroup wg = {0};

    check_panics(one_done_too_many, "negative");
    check_panics(negative, "negative");
    check_panics(lowest, "negative");
    check_panics(too_many, "INT32_MAX");
    ant_waitgroup_add(&wg, 0); /* nothing, of nothing */
    ant_waitgroup_wait(&wg);
    return 0;
}

TEST(api_waitgroup_panics)
{
    CHECK_INT(run(NULL), 0);
    CHECK_INT(ant_run(run, NULL, NULL), 0);
    return 0;
}
