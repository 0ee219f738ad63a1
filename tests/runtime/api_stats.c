/* api_stats - the figures of ant_stats_get in situations where they are known. */
#include <anthill.h>

#include "check.h"
#include "runtime/runtime.h"

enum { PARKED = 100, TIMERS = 7 };

static ant_waitgroup begun, gate;
static ant_timer timers[TIMERS];

static ant_stats now(void)
{
    ant_stats stats;

    memset(&stats, 0xff, sizeof stats);
    CHECK_INT(ant_stats_get(&stats), 0);
    return stats;
}

static void park(void *arg)
{
    ant_waitgroup_done(&begun);
    ant_waitgroup_wait(&gate);
}

static void nothing(void *arg)
{
}

static void check_first(ant_stats first)
{
    CHECK_INT(first.procs, ant_procs());
    CHECK_INT(first.goroutines, 1);
    CHECK_INT(first.created, 1);
    CHECK_INT(first.timers, 0);
    CHECK_INT(first.runnable, 0);
    CHECK(first.threads >= 1 && first.idle_threads < first.threads);
    CHECK(first.switches >= 1);
    CHECK(first.stacks >= 1 && first.stack_bytes > 0);
    CHECK(!strcmp(first.stack_guard, "madvise") || !strcmp(first.stack_guard, "mprotect") ||
          !strcmp(first.stack_guard, "canary"));
}

static void park_many(void)
{
    ant_waitgroup_add(&gate, 1);
    ant_waitgroup_add(&begun, PARKED);
    for (int i = 0; i < PARKED; i++)
        CHECK_INT(ant_go(park, NULL), 0);
    ant_waitgroup_wait(&begun);
    for (int i = 0; i < TIMERS; i++)
        CHECK_INT(ant_timer_start(&timers[i], ANT_HOUR, nothing, NULL), 0);
}

static void let_go(void)
{
    for (int i = 0; i < TIMERS; i++)
        CHECK_INT(ant_timer_stop(&timers[i]), 1);
    ant_waitgroup_done(&gate);
    while (ant_count() > 1)
        ant_yield();
}

static int run(void *arg)
{
    ant_stats first = now(), s;

    check_first(first);
    park_many();
    s = now();
    CHECK_INT(s.goroutines, PARKED + 1);
    CHECK_INT(s.created, PARKED + 1);
    CHECK_INT(s.timers, TIMERS);
    CHECK(s.stacks >= PARKED + 1);
    CHECK(s.switches >= first.switches + PARKED);
    CHECK(s.stolen >= s.steals);

    let_go();
    s = now();
    CHECK_INT(s.goroutines, 1);
    CHECK_INT(s.created, PARKED + 1);
    CHECK_INT(s.timers, 0);
    return 0;
}

/* With one P what was made waits in the queue while its maker runs. */
static int run_alone(void *arg)
{
    for (int i = 0; i < 300; i++) /* more than the ring holds */
        CHECK_INT(ant_go(nothing, NULL), 0);
    CHECK_INT(now().runnable, 300);
    CHECK_INT(now().goroutines, 301);
    return 0;
}

TEST(api_stats)
{
    CHECK_INT(ant_run(run, NULL, NULL), 0);
    CHECK_INT(ant_run(run, NULL, NULL), 0); /* the figures count from the start */
    CHECK_INT(unsetenv("ANTHILL"), 0);
    ant__slice = ANT_HOUR; /* its P is not taken from it meanwhile */
    CHECK_INT(ant_run(run_alone, NULL, &(ant_config){.procs = 1}), 0);
    return 0;
}
