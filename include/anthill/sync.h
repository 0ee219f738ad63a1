/* sync.h - waiting for one another, goroutines and threads alike. */
#ifndef ANTHILL_SYNC_H
#define ANTHILL_SYNC_H

#include <stdint.h>

#include <anthill/version.h>

ANT_BEGIN_DECLS

/* Waits for a collection of things to be done: a counter that waiters wait to be zero. Zero-filled
 * it is ready, anywhere in memory; it may be freed as soon as a wait has returned. One on which
 * goroutines waited when the runtime was stopped must be zero-filled before it is used again. */
typedef struct ant_waitgroup {
    uint64_t state;
    void *goroutines; /* that wait */
    void *threads;    /* that wait */
} ant_waitgroup;

/* Adds delta, which may be negative. Any thread; does not block. Add before starting what will call
 * done. Panics if the counter becomes negative or exceeds INT32_MAX, or if an add races with
 * the wake-up of waiters. */
ANT_API void ant_waitgroup_add(ant_waitgroup *wg, int delta);

/* Subtracts one. Does not touch *wg after the step that lets the waiters go. */
ANT_API void ant_waitgroup_done(ant_waitgroup *wg);

/* Returns when the counter is zero. Any thread. Suspends. */
ANT_API void ant_waitgroup_wait(ant_waitgroup *wg);

ANT_END_DECLS

#endif
