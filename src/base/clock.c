/* clock.c - see clock.h. */
#include "base/clock.h"

#include <stddef.h>
#include <time.h>

ant_time (*ant__clock)(void);

static ant_time in_ns(struct timespec ts)
{
    return (ant_time)ts.tv_sec * ANT_SECOND + ts.tv_nsec;
}

static ant_time read_clock(clockid_t id)
{
    struct timespec ts;

    if (ant__clock)
        return ant__clock();
    clock_gettime(id, &ts);
    return in_ns(ts);
}

ant_time ant__now(void)
{
    return read_clock(CLOCK_MONOTONIC);
}

ant_time ant__now_coarse(void)
{
    return read_clock(CLOCK_MONOTONIC_COARSE);
}

ant_duration ant__coarse_step(void)
{
    struct timespec ts;

    if (ant__clock)
        return 0;
    clock_getres(CLOCK_MONOTONIC_COARSE, &ts);
    return in_ns(ts);
}

ant_time ant_now(void)
{
    return ant__now();
}
