/* clock.c - see clock.h. */
#include "base/clock.h"

#include <stddef.h>
#include <time.h>

ant_time (*ant__clock)(void);

ant_time ant__now(void)
{
    struct timespec ts;

    if (ant__clock)
        return ant__clock();
    clock_gettime(CLOCK_MONOTONIC, &ts);
    return (ant_time)ts.tv_sec * ANT_SECOND + ts.tv_nsec;
}

ant_time ant_now(void)
{
    return ant__now();
}
