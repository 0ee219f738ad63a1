/* life_fork_start - the child of a fork cannot start a runtime of its own while it has the remains
 * of its parent's, nor stop those: it is told so and aborts. */
#include "life_fork.h"

TEST(life_fork_start)
{
    CHECK_INT(ant_start(NULL), 0);
    check_fork_aborts(call_start);
    check_fork_aborts(call_run);
    check_fork_aborts(call_stop);
    CHECK_INT(ant_stop(), 0);
    return 0;
}
