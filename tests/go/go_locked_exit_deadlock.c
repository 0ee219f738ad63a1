/* go_locked_exit_deadlock.c - a deadlock is seen when the last thing that happens is that a
 * goroutine ends that is tied to its thread.
 *
 * Catches: a thread that ends with its goroutine does not look whether any other can go on; or is
 * taken for a thread of the program's own, that might wake a goroutine, while it ends.
 */
#include "go_deadlock.h"

static void end_tied(void *arg)
{
    CHECK_INT(ant_lock_thread(), 0);
    ant_sleep(2 * ANT_MILLISECOND);
}

static int main_waits(void *arg)
{
    CHECK_INT(ant_go(end_tied, NULL), 0);
    wait_for_ever();
    return 0;
}

TEST(go_locked_exit_deadlock)
{
    expect_deadlock(main_waits, ALL_ASLEEP, NULL);
    return 0;
}
