/* go_locked_deadlock2.c - a deadlock is seen when another goroutine than the main one is tied to
 * its thread, whichever of the two waits last.
 *
 * Catches: only one of the two ways in which a thread falls asleep looks for deadlocks.
 */
#include "go_deadlock.h"

static void tied(void *arg)
{
    CHECK_INT(ant_lock_thread(), 0);
    if (arg)
        ant_sleep(5 * ANT_MILLISECOND);
    wait_for_ever();
}

static int main_last(void *arg)
{
    CHECK_INT(ant_go(tied, NULL), 0);
    ant_sleep(5 * ANT_MILLISECOND);
    wait_for_ever();
    return 0;
}

static int tied_last(void *arg)
{
    CHECK_INT(ant_go(tied, "later"), 0);
    wait_for_ever();
    return 0;
}

TEST(go_locked_deadlock2)
{
    expect_deadlock(main_last, ALL_ASLEEP, NULL);
    expect_deadlock(tied_last, ALL_ASLEEP, NULL);
    return 0;
}
