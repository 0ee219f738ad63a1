/* hand_clock.h - the runtime's clock for tests of what happens when: it runs as usual, or it stands
 * still and is set forward by hand. It is exact, also where the runtime is content with the coarse
 * one. Set ant__clock to it before the runtime is started. */
#ifndef ANT_TESTS_HAND_CLOCK_H
#define ANT_TESTS_HAND_CLOCK_H

#include <stdatomic.h>

#include "check.h"
#include "runtime/runtime.h"

static _Atomic ant_time hand_clock_stands_at; /* 0: it runs */

static ant_time hand_clock(void)
{
    ant_time t = atomic_load(&hand_clock_stands_at);

    return t ? t : (ant_time)(test_now() * 1e9);
}

static inline void hand_clock_stop(void)
{
    atomic_store(&hand_clock_stands_at, hand_clock());
}

/* It stands; from a goroutine. Who sleeps until a timer is due sleeps by the kernel's clock, which this
 * one is ahead of now, and must look again. */
static inline void hand_clock_forward(ant_duration d)
{
    struct ant__m *m = ant__enter();

    atomic_fetch_add(&hand_clock_stands_at, d);
    ant__rouse();
    ant__keeper_renew();
    ant__leave(m);
}

/* It must not have been set forward: time does not run backwards. */
static inline void hand_clock_go_on(void)
{
    atomic_store(&hand_clock_stands_at, 0);
}

#endif
