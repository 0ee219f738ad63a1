/* life_fork_start - the child of a fork cannot start a runtime of its own while it has the remains
 * of its parent's, nor stop those: it is told so and aborts. */
#include "life_fork.h"

static int return_zero(void *arg)
{
    return 0;
}

static void call_start(void)
{
    ant_start(NULL);
}

static void call_run(void)
{
    ant_run(return_zero, NULL, NULL);
}

static void call_stop(void)
{
    ant_stop();
}

int main(void)
{
    CHECK_INT(ant_start(NULL), 0);
    check_fork_aborts(call_start);
    check_fork_aborts(call_run);
    check_fork_aborts(call_stop);
    CHECK_INT(ant_stop(), 0);
    return 0;
}
