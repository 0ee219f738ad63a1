/* time.h - durations, the clock, sleeping, timers. */
#ifndef ANTHILL_TIME_H
#define ANTHILL_TIME_H

#include <stdint.h>

#include <anthill/version.h>

typedef int64_t ant_duration; /* nanoseconds */
typedef int64_t ant_time;     /* nanoseconds on the monotonic clock */

#define ANT_NANOSECOND ((ant_duration)1)
#define ANT_MICROSECOND (1000 * ANT_NANOSECOND)
#define ANT_MILLISECOND (1000 * ANT_MICROSECOND)
#define ANT_SECOND (1000 * ANT_MILLISECOND)
#define ANT_MINUTE (60 * ANT_SECOND)
#define ANT_HOUR (60 * ANT_MINUTE)

ANT_BEGIN_DECLS

/* The monotonic clock. Any thread; never fails. */
ANT_API ant_time ant_now(void);

/* Sleeps for at least d; returns at once if d <= 0. Any thread: a goroutine parks, so that its P
 * runs others; any other thread sleeps itself. Lateness when idle is about 20 microseconds plus
 * what the kernel adds. Suspends. */
ANT_API void ant_sleep(ant_duration d);

/* A timer calls a function once, in a goroutine of its own, some time from now.
 *
 * Zero-filled it is a stopped timer. The caller owns the memory, which must stay valid and
 * unmoved from ant_timer_start until the timer has fired or ant_timer_stop has returned; after
 * that the runtime does not touch it. Calls on one timer may race with its firing, but not with
 * one another: two threads that start or stop the same timer need a lock of their own. */
typedef struct ant_timer {
    uint64_t private_[8];
} ant_timer;

/* Starts t: after d (at once if d <= 0) fn(arg) runs in a new goroutine, where it may block.
 * Any thread; does not block. Returns 0; -EINVAL if t or fn is NULL; -EBUSY if t is pending
 * already; ANT_ENOTRUNNING. */
ANT_API int ant_timer_start(ant_timer *t, ant_duration d, void (*fn)(void *), void *arg);

/* Stops t. Any thread; does not block. Returns 1 if this call kept the timer from firing, 0 if it
 * had fired, was stopped before or never started; -EINVAL if t is NULL. After a return of 0 the
 * function may be running still: stopping does not wait for it. */
ANT_API int ant_timer_stop(ant_timer *t);

/* Stops t and starts it anew with the function and argument it had. Any thread; does not block.
 * Returns 1 if t was pending, 0 if it had fired or was stopped; -EINVAL if t is NULL or was never
 * started; ANT_ENOTRUNNING. */
ANT_API int ant_timer_reset(ant_timer *t, ant_duration d);

ANT_END_DECLS

#endif
