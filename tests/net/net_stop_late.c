/* A stop that does not get all goroutines back in time leaves their descriptors open, but handles are
 * stale from then on, also in the next run; the next stop closes them. */
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"

static _Atomic bool computing, go_on;

static void compute(void *arg)
{
    atomic_store(&computing, true);
    while (!atomic_load(&go_on))
        continue;
    ant_yield();
}

TEST(net_stop_late)
{
    struct test_resources before;
    ant_io ends[2];
    char c = 0;

    CHECK_INT(ant_start(NULL), 0); /* TSan has a thread of its own from now on */
    CHECK_INT(ant_stop(), 0);
    before = test_resources_now();
    CHECK_INT(ant_start(&(ant_config){.stop_timeout = ANT_MILLISECOND}), 0);
    CHECK_INT(ant_pipe(ends), 0);
    CHECK_INT(ant_go(compute, NULL), 0);
    while (!atomic_load(&computing))
        usleep(100);
    CHECK_INT(ant_stop(), ANT_ETIMEOUT);
    CHECK_INT(ant_write(ends[1], &c, 1), ANT_ECLOSED);
    atomic_store(&go_on, true);
    CHECK_INT(ant_start(NULL), 0);
    CHECK_INT(ant_read(ends[0], &c, 1), ANT_ECLOSED);
    CHECK_INT(ant_close(ends[0]), ANT_ECLOSED);
    CHECK_INT(ant_stop(), 0);
    test_resources_check(&before, 1000); /* the stacks of that goroutine stay mapped */
    return 0;
}
