/* go_goexit_locked_deadlock.c - the same as go_goexit_deadlock when the main goroutine is tied to
 * its thread, so that the last thread of all may end.
 *
 * Catches: the last thread ends without a look, and the program waits for ever.
 */
#include "go_deadlock.h"

static int alone(void *arg)
{
    CHECK_INT(ant_lock_thread(), 0);
    ant_exit();
}

TEST(go_goexit_locked_deadlock)
{
    expect_deadlock(alone, NO_GOROUTINES, NULL);
    return 0;
}
