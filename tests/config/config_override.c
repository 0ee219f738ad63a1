/* config_override - what the variable ANTHILL says counts more than the struct, setting by setting;
 * what it does not say is as the struct has it. */
#include <anthill.h>

#include "check.h"
#include "runtime/runtime.h"

static const ant_config given = {
    .procs = 2,
    .stack_size = 64 << 10,
    .max_threads = 50,
    .max_hogs = 7,
    .preempt_signal = 12,
    .schedtrace = 100000,
    .seed = 5,
    .stop_timeout = ANT_SECOND,
    .fault_panics = true,
    .dump_on_quit = true,
    .no_deadlock_report = true,
};

static ant_config with(const char *variable)
{
    ant_config config;

    CHECK_INT(setenv("ANTHILL", variable, 1), 0);
    CHECK_INT(ant_start(&given), 0);
    config = ant__sched.config;
    CHECK_INT(ant_stop(), 0);
    return config;
}

/* All but what was set on purpose is as given. */
static void check_rest(ant_config config, const ant_config *but)
{
    CHECK_INT(config.procs, but->procs ? but->procs : given.procs);
    CHECK_INT(config.stack_size, but->stack_size ? but->stack_size : given.stack_size);
    CHECK_INT(config.max_threads, but->max_threads ? but->max_threads : given.max_threads);
    CHECK_INT(config.max_hogs, but->max_hogs ? but->max_hogs : given.max_hogs);
    CHECK_INT(config.preempt_signal,
              but->preempt_signal ? but->preempt_signal : given.preempt_signal);
    CHECK_INT(config.schedtrace, but->schedtrace ? but->schedtrace : given.schedtrace);
    CHECK_INT(config.seed, but->seed ? but->seed : given.seed);
    CHECK_INT(config.stop_timeout, but->stop_timeout ? but->stop_timeout : given.stop_timeout);
    CHECK_INT(config.fault_panics, !but->fault_panics);
    CHECK_INT(config.dump_on_quit, !but->dump_on_quit);
    CHECK_INT(config.no_deadlock_report, !but->no_deadlock_report);
}

TEST(config_override)
{
    check_rest(with(""), &(ant_config){0});
    check_rest(with("procs=3"), &(ant_config){.procs = 3});
    check_rest(with("stack=1m"), &(ant_config){.stack_size = 1 << 20});
    check_rest(with("threads=60"), &(ant_config){.max_threads = 60});
    check_rest(with("hogs=8"), &(ant_config){.max_hogs = 8});
    check_rest(with("presignal=10"), &(ant_config){.preempt_signal = 10});
    check_rest(with("presignal=0"), &(ant_config){.preempt_signal = -1});
    check_rest(with("schedtrace=200000"), &(ant_config){.schedtrace = 200000});
    check_rest(with("seed=6"), &(ant_config){.seed = 6});
    check_rest(with("stop=2s"), &(ant_config){.stop_timeout = 2 * ANT_SECOND});
    check_rest(with("faults=0"), &(ant_config){.fault_panics = true});
    check_rest(with("sigquit=0"), &(ant_config){.dump_on_quit = true});
    check_rest(with("deadlock=1"), &(ant_config){.no_deadlock_report = true});
    check_rest(with("seed=6,procs=3"), &(ant_config){.seed = 6, .procs = 3});
    return 0;
}
