/* time.h - durations, the clock, sleeping, timers. */
#ifndef ANTHILL_TIME_H
#define ANTHILL_TIME_H

#include <stdint.h>

#include <anthill/version.h>

typedef struct ant_chan ant_chan; /* chan.h */
typedef struct ant_ctx ant_ctx;   /* context.h */

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

/* The same until ctx is done at most (NULL: never). Returns 0 if it slept for d; ANT_ECANCELED or
 * ANT_ETIMEOUT, also if d <= 0; with a context that can be done also ANT_ENOTRUNNING: then the
 * runtime watches the time, and if it is stopped meanwhile only the context ends the sleep. */
ANT_API int ant_sleep_ctx(ant_duration d, ant_ctx *ctx);

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

/* Makes a channel on which, after d, one ant_time can be received: when that was. It is never
 * closed, and nothing comes if the runtime is stopped before. It is the caller's, who frees it by
 * ant_chan_destroy, before or after. Any thread; does
 * not block. Returns 0; -EINVAL if ret_chan is NULL; -ENOMEM; ANT_ENOTRUNNING. */
ANT_API int ant_after(ant_chan **ret_chan, ant_duration d);

/* A ticker delivers the time (ant_time) on its channel again and again. It keeps to the times that
 * its period gives, however late one is received; but it keeps one tick only, so who is slow misses
 * some. */
typedef struct ant_ticker ant_ticker;

/* Makes a ticker, which begins at once. Any thread; does not block. Returns 0; -EINVAL if
 * ret_ticker is NULL or period <= 0; -ENOMEM; ANT_ENOTRUNNING. */
ANT_API int ant_ticker_new(ant_ticker **ret_ticker, ant_duration period);

/* The channel, which belongs to the ticker: do not send on it, close it or destroy it. It is not
 * closed when the ticker stops. NULL for NULL. Any thread; does not block. */
ANT_API ant_chan *ant_ticker_chan(ant_ticker *ticker);

/* Stops it, or gives it another period that begins now. A tick that was not yet received is
 * dropped: what is received later was ticked later. Calls on one ticker must not race with one
 * another. Any thread; do not block. To stop NULL does nothing. Reset returns 0; -EINVAL if ticker is
 * NULL or period <= 0; ANT_ENOTRUNNING. */
ANT_API void ant_ticker_stop(ant_ticker *ticker);
ANT_API int ant_ticker_reset(ant_ticker *ticker, ant_duration period);

/* Stops and frees it; NULL is no error. Any thread; does not block. Returns 0, or -EBUSY, and it is
 * only stopped, if somebody waits on its channel. */
ANT_API int ant_ticker_destroy(ant_ticker *ticker);

ANT_END_DECLS

#endif
