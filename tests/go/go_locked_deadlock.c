/* go_locked_deadlock.c - a deadlock is seen when the main goroutine is tied to its thread.
 *
 * Catches: a thread that waits for its own goroutine counts as one that runs.
 */
#include "go_deadlock.h"

static int tied(void *arg)
{
    CHECK_INT(ant_lock_thread(), 0);
    wait_for_ever();
    return 0;
}

static int tied_after_others(void *arg)
{
    ant_yield();
    ant_sleep(ANT_MILLISECOND);
    CHECK_INT(ant_lock_thread(), 0);
    ant_yield();
    ant_sleep(ANT_MILLISECOND);
    wait_for_ever();
    return 0;
}

TEST(go_locked_deadlock)
{
    expect_deadlock(tied, ALL_ASLEEP, "locked to thread", NULL);
    expect_deadlock(tied_after_others, ALL_ASLEEP, NULL);
    return 0;
}
