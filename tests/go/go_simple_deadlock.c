/* go_simple_deadlock.c - a program whose goroutines all wait for one another is ended, and says so
 * and who waits where.
 *
 * Catches: the deadlock is not seen: threads miscounted, or the last one to fall asleep does not
 * look.
 */
#include "go_deadlock.h"

static int alone(void *arg)
{
    wait_for_ever();
    return 0;
}

static void wait_too(void *arg)
{
    wait_for_ever();
}

static int with_others(void *arg)
{
    for (int i = 0; i < 20; i++)
        CHECK_INT(ant_go_opts(&(ant_go_options){.name = "other"}, wait_too, NULL), 0);
    wait_for_ever();
    return 0;
}

static int after_a_sleep(void *arg)
{
    ant_sleep(ANT_MILLISECOND);
    wait_for_ever();
    return 0;
}

TEST(go_simple_deadlock)
{
    expect_deadlock(alone, ALL_ASLEEP, "goroutine 1 [waitgroup wait", "main", NULL);
    expect_deadlock(with_others, ALL_ASLEEP, "21 goroutines", "other", NULL);
    expect_deadlock(after_a_sleep, ALL_ASLEEP, NULL);
    return 0;
}
