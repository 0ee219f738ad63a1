/* always_hogs.h - every thread is said to use CPU all the time. On a busy machine one that got none for
 * a while would be taken for one that is blocked, which does not count among those that max_hogs
 * limits. */
#ifndef ANT_TESTS_ALWAYS_HOGS_H
#define ANT_TESTS_ALWAYS_HOGS_H

#include <pthread.h>
#include <time.h>

int pthread_getcpuclockid(pthread_t thread, clockid_t *ret_clock)
{
    *ret_clock = CLOCK_MONOTONIC;
    return 0;
}

#endif
