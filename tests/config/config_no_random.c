/* config_no_random - the kernel has no random numbers for a seed, as early after it was booted or in a
 * sandbox: each run has another seed all the same. */
#include <anthill.h>

#include "check.h"
#include "refuse.h"
#include "runtime/runtime.h"

static uint64_t seed_of_run(void)
{
    uint64_t seed;

    CHECK_INT(ant_start(NULL), 0);
    seed = ant__sched.config.seed;
    CHECK_INT(ant_stop(), 0);
    return seed;
}

TEST(config_no_random)
{
    uint64_t first, second;

    CHECK_INT(unsetenv("ANTHILL"), 0);
    if (!refuse_call(SYS_getrandom, EAGAIN)) {
        printf("there is no seccomp here: not tested\n");
        return 0;
    }
    first = seed_of_run();
    second = seed_of_run();
    CHECK(first != 0 && second != 0 && first != second);
    return 0;
}
