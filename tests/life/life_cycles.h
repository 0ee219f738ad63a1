/* life_cycles.h - a runtime full of everything that can be left behind when it stops: goroutines
 * that are parked, asleep, runnable and running, pending timers, goroutine-local values, tied
 * threads, stacks of several sizes, arguments on stacks. */
#ifndef ANT_TESTS_LIFE_CYCLES_H
#define ANT_TESTS_LIFE_CYCLES_H

#include <anthill.h>

#include "check.h"

static ant_waitgroup life_never;
static ant_timer life_timers[5];
static ant_local life_key;

static void life_must_not_run(void *value)
{
    FAIL("a value of an abandoned goroutine was destroyed");
}

static void life_park(void *begun)
{
    CHECK_INT(ant_local_set(life_key, begun), 0);
    ant_waitgroup_done(begun);
    ant_waitgroup_wait(&life_never);
    FAIL("resumed");
}

static void life_sleep(void *begun)
{
    ant_waitgroup_done(begun);
    ant_sleep(ANT_HOUR);
    FAIL("resumed");
}

static void life_tied_park(void *begun)
{
    CHECK_INT(ant_lock_thread(), 0);
    life_park(begun);
}

static void life_tied_sleep(void *begun)
{
    CHECK_INT(ant_lock_thread(), 0);
    life_sleep(begun);
}

static void life_yield(void *begun)
{
    ant_waitgroup_done(begun);
    for (;;)
        ant_yield();
}

static void life_short_sleeps(void *begun)
{
    ant_waitgroup_done(begun);
    for (;;)
        ant_sleep(50 * ANT_MICROSECOND);
}

static void life_in_try(void *begun)
{
    ant_defer_node node;

    ant_defer(&node, life_must_not_run, NULL);
    ant_try(life_park, begun, NULL);
}

static void life_copy(void *copy)
{
    ant_waitgroup *begun;

    memcpy(&begun, copy, sizeof begun);
    ant_waitgroup_done(begun);
    ant_waitgroup_wait(&life_never);
}

static void life_nothing(void *arg)
{
    ant_yield();
}

static void life_fire(void *arg)
{
    FAIL("an hour has passed");
}

/* Starts all of it, and returns when each has begun; *begun must outlive the runtime. */
static inline void life_fill(ant_waitgroup *begun)
{
    static void (*const fns[])(void *) = {life_park,       life_sleep, life_tied_park,
                                          life_tied_sleep, life_yield, life_short_sleeps,
                                          life_in_try};
    enum { FNS = sizeof fns / sizeof fns[0], EACH = 3 };
    char large[1000] = "";

    if (life_key.serial == 0)
        CHECK_INT(ant_local_new(&life_key, life_must_not_run), 0);
    life_never = (ant_waitgroup){0}; /* those who waited in an earlier run are gone */
    ant_waitgroup_add(&life_never, 1);
    ant_waitgroup_add(begun, FNS * EACH + 2);
    for (int i = 0; i < FNS * EACH; i++) {
        const ant_go_options options = {.name = "left behind",
                                        .stack_size = (size_t)(64 << 10) << i % 3};

        CHECK_INT(ant_go_opts(i % 4 ? &options : NULL, fns[i % FNS], begun), 0);
    }
    memcpy(large, &begun, sizeof begun);
    CHECK_INT(ant_go_copy(life_copy, &begun, sizeof begun), 0);
    CHECK_INT(ant_go_copy(life_copy, large, sizeof large), 0);
    for (size_t i = 0; i < sizeof life_timers / sizeof life_timers[0]; i++)
        CHECK_INT(ant_timer_start(&life_timers[i], ANT_HOUR << i, life_fire, NULL), 0);
    ant_waitgroup_wait(begun);
    for (int i = 0; i < 500; i++) /* runnable; most of them never begin */
        CHECK_INT(ant_go(life_nothing, NULL), 0);
}

#endif
