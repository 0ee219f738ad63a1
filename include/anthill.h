/* anthill.h - goroutines for C: include this one header.
 *
 * Conventions that hold everywhere:
 * - A function that can fail returns int: 0 or a count on success, a negative code on failure;
 *   -errno for the system's errors, ANT_E... for ours (ant_strerror tells both). errno itself is
 *   never the channel, and no call of Anthill changes it.
 * - Zero is ready: ant_mutex, ant_waitgroup, ant_timer and the like work when zero-filled.
 * - "Any thread" in a comment means: a goroutine, or a thread that Anthill did not make.
 * - Times are ant_duration, nanoseconds in an int64_t.
 */
#ifndef ANTHILL_H
#define ANTHILL_H

#include <anthill/buffer.h>
#include <anthill/cache.h>
#include <anthill/chan.h>
#include <anthill/context.h>
#include <anthill/error.h>
#include <anthill/go.h>
#include <anthill/group.h>
#include <anthill/io.h>
#include <anthill/multipool.h>
#include <anthill/net.h>
#include <anthill/panic.h>
#include <anthill/pool.h>
#include <anthill/process.h>
#include <anthill/signal.h>
#include <anthill/stats.h>
#include <anthill/sync.h>
#include <anthill/time.h>
#include <anthill/version.h>

#endif
