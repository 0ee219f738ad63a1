/* always_hogs.h - every thread is said to use CPU all the time. On a busy machine one that got none for
 * a while would be taken for one that is blocked, which does not count among those that max_hogs
 * limits. */
#ifndef ANT_TESTS_ALWAYS_HOGS_H
#define ANT_TESTS_ALWAYS_HOGS_H

#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* The clocks of threads have negative numbers. */
int clock_gettime(clockid_t clock, struct timespec *ret_time)
{
    return (int)syscall(SYS_clock_gettime, clock < 0 ? CLOCK_MONOTONIC : clock, ret_time);
}

#endif
