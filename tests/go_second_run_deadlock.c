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

static void child(void)
{
    alarm(50);
    CHECK_INT(ant_run(first, NULL, NULL), 0);
    CHECK_INT(ant_run(neither, NULL, NULL), 0);
    ant_run(second, NULL, NULL);
}

int main(void)
{
    int status = test_child(child, deadlock_output, sizeof deadlock_output);

    CHECK_HAS(deadlock_output, ALL_ASLEEP);
    CHECK(WIFEXITED(status));
    CHECK_INT(WEXITSTATUS(status), 2);
    return 0;
}
