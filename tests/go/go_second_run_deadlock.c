/* go_second_run_deadlock.c - a deadlock is seen in a later run of the runtime too.
 *
 * Catches: counts of the first run that the second starts with. (Go has a test of a deadlock in
 * an init function, before main: the nearest that C has.)
 */
#include "go_deadlock.h"

static void tie(void *arg)
{
    CHECK_INT(ant_lock_thread(), 0);
    ant_sleep(ANT_HOUR);
}

static int first(void *arg)
{
    CHECK_INT(ant_go(tie, NULL), 0);
    ant_sleep(ANT_MILLISECOND);
    return 0;
}

static int second(void *arg)
{
    wait_for_ever();
    return 0;
}

static int neither(void *arg)
{
    return 0;
}

TEST(go_second_run_deadlock)
{
    CHECK_INT(ant_run(first, NULL, NULL), 0);
    CHECK_INT(ant_run(neither, NULL, NULL), 0);
    expect_deadlock(second, ALL_ASLEEP, NULL); /* starts main anew, and so with the other runs */
    return 0;
}
