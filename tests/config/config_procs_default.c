/* config_procs_default - without a setting there are as many Ps as CPUs that the process may
 * use. */
#include <sched.h>

#include <anthill.h>

#include "check.h"

static int procs(void)
{
    int n;

    CHECK_INT(ant_start(NULL), 0);
    n = ant_procs();
    CHECK_INT(ant_stop(), 0);
    return n;
}

TEST(config_procs_default)
{
    cpu_set_t all, one;
    int first = 0;

    CHECK_INT(unsetenv("ANTHILL"), 0);
    CHECK_INT(sched_getaffinity(0, sizeof all, &all), 0);
    CHECK(procs() >= 1 && procs() <= CPU_COUNT(&all)); /* fewer, if there is a quota */
    while (!CPU_ISSET(first, &all))
        first++;
    CPU_ZERO(&one);
    CPU_SET(first, &one);
    CHECK_INT(sched_setaffinity(0, sizeof one, &one), 0);
    CHECK_INT(procs(), 1);
    return 0;
}
