/* preempt_bad - modes that do not exist, and signals that cannot be used, are refused. */
#include <errno.h>
#include <limits.h>
#include <signal.h>

#include <anthill.h>

#include "check.h"
#include "runtime/runtime.h"

static void never(void *arg)
{
    FAIL("started");
}

static int run(void *arg)
{
    static const int bad[] = {-1, 2, INT_MAX, INT_MIN};
    ant_func_pool *func_pool;
    ant_pool *pool;

    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        const ant_go_options go = {.preempt = (ant_preempt)bad[i]};
        const ant_pool_options options = {.preempt = (ant_preempt)bad[i]};

        CHECK_INT(ant_go_opts(&go, never, NULL), -EINVAL);
        CHECK_INT(ant_pool_new(&pool, 1, &options), -EINVAL);
        CHECK_INT(ant_func_pool_new(&func_pool, 1, never, 0, &options), -EINVAL);
    }
    return 0;
}

TEST(preempt_bad)
{
    const int bad[] = {-2,      INT_MIN, INT_MAX, 65,      SIGKILL, SIGSTOP,
                       SIGTSTP, SIGTTIN, SIGTTOU, SIGSEGV, SIGBUS,  SIGFPE,
                       SIGILL,  SIGTRAP, SIGABRT, SIGQUIT, 32};

    CHECK_INT(ant__slice, 10 * ANT_MILLISECOND); /* what is promised; other tests make it shorter */
    CHECK_INT(ant_run(run, NULL, NULL), 0);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        CHECK_INT(ant_start(&(ant_config){.preempt_signal = bad[i]}), -EINVAL);
        CHECK_INT(ant_stop(), ANT_ENOTRUNNING);
    }
    for (int signal = SIGRTMIN; signal <= SIGRTMAX; signal++) {
        CHECK_INT(ant_start(&(ant_config){.preempt_signal = signal}), 0);
        CHECK_INT(ant_stop(), 0);
    }
    return 0;
}
