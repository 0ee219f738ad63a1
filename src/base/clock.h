/* clock.h - the one place where time is read: a test may put another clock in its stead. */
#ifndef ANT_BASE_CLOCK_H
#define ANT_BASE_CLOCK_H

#include <anthill/time.h>

#define ANT__NEVER INT64_MAX

/* NULL: the monotonic clock. Set only while the runtime is not running. */
extern ant_time (*ant__clock)(void);

ant_time ant__now(void);
/* The same as the kernel's last tick had it, some milliseconds late, at a fourth of the price. */
ant_time ant__now_coarse(void);
/* From one tick to the next: so late the coarse clock may be. More if the kernel gets a tick late
 * itself, as it often does in a virtual machine: 11 ms were seen, with ticks of 4 ms. */
ant_duration ant__coarse_step(void);

/* a + d without overflow; d >= 0. */
static inline ant_time ant__time_add(ant_time a, ant_duration d)
{
    return d > ANT__NEVER - a ? ANT__NEVER : a + d;
}

#endif
