/* config_good - every setting of the variable ANTHILL, with every suffix, and several at once. */
#include <signal.h>

#include <anthill.h>

#include "check.h"
#include "runtime/runtime.h" /* ant__sched.config: what came of it */

/* Starts with this variable; the settings are those of the running runtime. */
static const ant_config *with(const char *variable)
{
    static ant_config config;

    CHECK_INT(setenv("ANTHILL", variable, 1), 0);
    CHECK_INT(ant_start(NULL), 0);
    config = ant__sched.config;
    CHECK_INT(ant_procs(), config.procs);
    if (config.stop_timeout < ANT_SECOND)
        ant_stop(); /* may be too short for threads that are just beginning */
    else
        CHECK_INT(ant_stop(), 0);
    return &config;
}

static void check_numbers(void)
{
    CHECK_INT(with("procs=1")->procs, 1);
    CHECK_INT(with("procs=3")->procs, 3);
    CHECK_INT(with("procs=1024")->procs, 1024);
    CHECK_INT(with("threads=2")->max_threads, 2);
    CHECK_INT(with("threads=1000000")->max_threads, 1000000);
    CHECK_INT(with("hogs=1")->max_hogs, 1);
    CHECK_INT(with("hogs=1000000")->max_hogs, 1000000);
    CHECK_INT(with("procs=2")->max_hogs, 32); /* 4 for each P, at least 32 */
    CHECK_INT(with("procs=100")->max_hogs, 400);
    CHECK_INT(with("schedtrace=3600000")->schedtrace, 3600000);
    CHECK_INT(with("seed=42")->seed, 42);
    CHECK(with("seed=18446744073709551615")->seed == UINT64_MAX);
}

static void check_sizes(void)
{
    CHECK_INT(with("stack=2048")->stack_size, 2048);
    CHECK_INT(with("stack=2k")->stack_size, 2048);
    CHECK_INT(with("stack=65536")->stack_size, 64 << 10);
    CHECK_INT(with("stack=64k")->stack_size, 64 << 10);
    CHECK_INT(with("stack=3m")->stack_size, 3 << 20);
    CHECK_INT(with("stack=1g")->stack_size, 1 << 30);
}

static void check_times(void)
{
    CHECK_INT(with("stop=1ns")->stop_timeout, 1);
    CHECK_INT(with("stop=10us")->stop_timeout, 10 * ANT_MICROSECOND);
    CHECK_INT(with("stop=500ms")->stop_timeout, 500 * ANT_MILLISECOND);
    CHECK_INT(with("stop=3s")->stop_timeout, 3 * ANT_SECOND);
}

static void check_switches(void)
{
    CHECK_INT(with("faults=1")->fault_panics, true);
    CHECK_INT(with("faults=0")->fault_panics, false);
    CHECK_INT(with("sigquit=1")->dump_on_quit, true);
    CHECK_INT(with("sigquit=0")->dump_on_quit, false);
    CHECK_INT(with("deadlock=1")->no_deadlock_report, false);
    CHECK_INT(with("deadlock=0")->no_deadlock_report, true);
}

static void check_signals(void)
{
    CHECK_INT(with("presignal=1")->preempt_signal, 1);
    CHECK_INT(with("presignal=10")->preempt_signal, 10);
    CHECK_INT(with("presignal=64")->preempt_signal, 64);
    CHECK_INT(with("presignal=0")->preempt_signal, -1);
}

static void check_defaults(const ant_config *c)
{
    CHECK(c->procs >= 1);
    CHECK_INT(c->stack_size, 256 << 10);
    CHECK_INT(c->max_threads, 10000);
    CHECK_INT(c->preempt_signal, SIGURG);
    CHECK_INT(c->schedtrace, 0);
    CHECK_INT(c->stop_timeout, 3 * ANT_SECOND);
    CHECK(!c->fault_panics && !c->dump_on_quit && !c->no_deadlock_report);
}

TEST(config_good)
{
    const ant_config *c;

    check_numbers();
    check_sizes();
    check_times();
    check_switches();
    check_signals();
    check_defaults(with(""));

    c = with("procs=5,stack=128k,threads=77,hogs=3,presignal=12,schedtrace=100000,seed=9,stop=7s,"
             "faults=1,sigquit=1,"
             "deadlock=0");
    CHECK_INT(c->procs, 5);
    CHECK_INT(c->stack_size, 128 << 10);
    CHECK_INT(c->max_threads, 77);
    CHECK_INT(c->max_hogs, 3);
    CHECK_INT(c->preempt_signal, 12);
    CHECK_INT(c->schedtrace, 100000);
    CHECK_INT(c->seed, 9);
    CHECK_INT(c->stop_timeout, 7 * ANT_SECOND);
    CHECK(c->fault_panics && c->dump_on_quit && c->no_deadlock_report);
    CHECK_INT(with("procs=2,procs=4")->procs, 4); /* the last one counts */
    return 0;
}
