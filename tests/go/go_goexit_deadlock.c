/* go_goexit_deadlock.c - when the main goroutine has called ant_exit and all others have ended, the
 * program is ended with a message of its own.
 *
 * Catches: it is not seen; the message is that of goroutines that wait.
 */
#include "go_deadlock.h"

static void work(void *arg)
{
    for (int i = 0; i < 10; i++)
        ant_yield();
    ant_sleep(ANT_MILLISECOND);
}

static int alone(void *arg)
{
    ant_exit();
}

static int with_others(void *arg)
{
    CHECK_INT(ant_go(work, NULL), 0);
    CHECK_INT(ant_go(work, NULL), 0);
    ant_exit();
}

static void wait_long(void *arg)
{
    wait_for_ever();
}

static int others_wait(void *arg)
{
    CHECK_INT(ant_go(wait_long, NULL), 0);
    ant_exit();
}

TEST(go_goexit_deadlock)
{
    expect_deadlock(alone, NO_GOROUTINES, NULL);
    expect_deadlock(with_others, NO_GOROUTINES, NULL);
    expect_deadlock(others_wait, ALL_ASLEEP, NULL);
    return 0;
}
