/* config_struct - fields of ant_config out of range: -EINVAL, and nothing is started; at the
 * borders and in between they are taken, stack sizes rounded up. */
#include <errno.h>
#include <limits.h>
#include <signal.h>

#include <anthill.h>

#include "check.h"
#include "runtime/runtime.h"

static size_t stack_size;

static int never(void *arg)
{
    FAIL("started");
}

static int measure(void *arg)
{
    stack_size = ant__stack_size(ant__m()->g->stack);
    return 0;
}

static void refused(ant_config config)
{
    CHECK_INT(ant_run(never, NULL, &config), -EINVAL);
    CHECK_INT(ant_start(&config), -EINVAL);
    CHECK_INT(ant_stop(), ANT_ENOTRUNNING);
}

static void gives_stack(size_t asked, size_t got)
{
    CHECK_INT(ant_run(measure, NULL, &(ant_config){.stack_size = asked}), 0);
    CHECK_INT(stack_size, got);
}

TEST(config_struct)
{
    CHECK_INT(unsetenv("ANTHILL"), 0);
    refused((ant_config){.procs = -1});
    refused((ant_config){.procs = INT_MIN});
    refused((ant_config){.procs = 1025});
    refused((ant_config){.procs = INT_MAX});
    refused((ant_config){.stack_size = 1});
    refused((ant_config){.stack_size = 2047});
    refused((ant_config){.stack_size = ((size_t)1 << 30) + 1});
    refused((ant_config){.stack_size = SIZE_MAX});
    refused((ant_config){.max_threads = -1});
    refused((ant_config){.max_hogs = -1});
    refused((ant_config){.max_hogs = INT_MIN});
    refused((ant_config){.preempt_signal = -2});
    refused((ant_config){.preempt_signal = SIGKILL});
    refused((ant_config){.preempt_signal = SIGSEGV});
    refused((ant_config){.preempt_signal = SIGRTMAX + 1});
    refused((ant_config){.schedtrace = -1});
    refused((ant_config){.stop_timeout = -1});

    for (int procs = 1; procs <= 1024; procs *= 4) {
        CHECK_INT(ant_start(&(ant_config){.procs = procs}), 0);
        CHECK_INT(ant_procs(), procs);
        CHECK_INT(ant_stop(), 0);
    }
    gives_stack(0, 256 << 10);
    gives_stack(64 << 10, 64 << 10);
    gives_stack((64 << 10) + 1, 128 << 10);
    gives_stack(100000, 128 << 10);
    gives_stack((size_t)1 << 30, (size_t)1 << 30);
    CHECK_INT(ant_run(measure, NULL, &(ant_config){.stop_timeout = INT64_MAX}), 0);
    CHECK_INT(ant_run(measure, NULL, &(ant_config){.max_hogs = INT_MAX}), 0);
    CHECK_INT(ant_run(measure, NULL, &(ant_config){.preempt_signal = SIGUSR1}), 0);
    CHECK_INT(ant_run(measure, NULL, &(ant_config){.preempt_signal = -1}), 0);
    return 0;
}
