/* sync.h - locks, and waiting for one another, goroutines and threads alike.
 *
 * All of these work from goroutines and from plain threads, and between the two: a goroutine that
 * waits parks, a thread sleeps. Zero-filled they are ready (a semaphore needs its capacity),
 * anywhere in memory, and need not be destroyed: the memory may go as soon as nobody uses or waits
 * for the thing, for instance a mutex by whoever unlocked it last. They must not be copied or moved
 * while in use. One on which goroutines wait when the runtime is stopped must not be used by
 * threads meanwhile, and must be zero-filled before it is used again.
 *
 * The _ctx forms give up when their context (NULL: none) is done, and return ANT_ECANCELED or
 * ANT_ETIMEOUT then, also if they could have had what they ask for at once. "Suspends" in a comment
 * means: may wait. What is said of one form holds for the others.
 */
#ifndef ANTHILL_SYNC_H
#define ANTHILL_SYNC_H

#include <stdbool.h>
#include <stdint.h>

#include <anthill/context.h>
#include <anthill/version.h>

ANT_BEGIN_DECLS

/* ---- mutex ---- */

/* At most one holds it. It belongs to nobody: who unlocks need not be who locked. Whoever comes by
 * when it is free may have it before those that wait, which is fast; but once one has waited for a
 * millisecond, it is handed over to those that wait, in order, until none has waited so long. */
typedef struct ant_mutex {
    uint32_t state;
    void *waiters[2];
} ant_mutex;

/* Any thread. Suspends. Not recursive: locking what one has locked waits for ever. */
ANT_API void ant_mutex_lock(ant_mutex *mutex);
ANT_API int ant_mutex_lock_ctx(ant_mutex *mutex, ant_ctx *ctx);

/* Locks if that needs no waiting, and nobody has waited too long. Any thread; does not block. */
ANT_API bool ant_mutex_try_lock(ant_mutex *mutex);

/* Any thread; does not block. If the mutex is not locked, ends the process with a message. */
ANT_API void ant_mutex_unlock(ant_mutex *mutex);

/* What these two do when nobody contends, in place of a call; the functions are there too. 1:
 * locked, nobody waits. */
ANT_API void ant_mutex_lock_contended(ant_mutex *mutex);
ANT_API void ant_mutex_unlock_contended(ant_mutex *mutex);

ANT_IN_PLACE void ant_mutex_lock(ant_mutex *mutex)
{
    uint32_t free = 0;

    if (__builtin_expect(!__atomic_compare_exchange_n(&mutex->state, &free, 1, 0, __ATOMIC_ACQUIRE,
                                                      __ATOMIC_RELAXED),
                         0))
        ant_mutex_lock_contended(mutex);
}

ANT_IN_PLACE void ant_mutex_unlock(ant_mutex *mutex)
{
    uint32_t locked = 1;

    if (__builtin_expect(!__atomic_compare_exchange_n(&mutex->state, &locked, 0, 0,
                                                      __ATOMIC_RELEASE, __ATOMIC_RELAXED),
                         0))
        ant_mutex_unlock_contended(mutex);
}

/* ---- reader/writer mutex ---- */

/* Held by one writer or by any number of readers, first come, first served: a reader that comes
 * after a waiting writer waits behind it, so neither starves. Therefore a holder must not lock it
 * for reading once more: it may wait for itself. */
typedef struct ant_rwmutex {
    uint64_t state;
    void *waiters[2];
} ant_rwmutex;

/* For reading. Any thread. rlock and rlock_ctx suspend; the others do not block. Unlocking what is
 * not locked for reading ends the process with a message. */
ANT_API void ant_rwmutex_rlock(ant_rwmutex *rw);
ANT_API int ant_rwmutex_rlock_ctx(ant_rwmutex *rw, ant_ctx *ctx);
ANT_API bool ant_rwmutex_try_rlock(ant_rwmutex *rw);
ANT_API void ant_rwmutex_runlock(ant_rwmutex *rw);

/* For writing, likewise. */
ANT_API void ant_rwmutex_lock(ant_rwmutex *rw);
ANT_API int ant_rwmutex_lock_ctx(ant_rwmutex *rw, ant_ctx *ctx);
ANT_API bool ant_rwmutex_try_lock(ant_rwmutex *rw);
ANT_API void ant_rwmutex_unlock(ant_rwmutex *rw);

/* ---- condition ---- */

/* Where those wait that hold a mutex and found that something is not yet so. Nobody is woken
 * without a signal; yet by the time one has the mutex again another may have changed what it waits
 * for, so look again:
 *     ant_mutex_lock(&mutex);
 *     while (!ready)
 *         ant_cond_wait(&cond, &mutex);
 */
typedef struct ant_cond {
    uint32_t lock;
    void *waiters[2];
} ant_cond;

/* Unlocks the mutex, waits for a signal, and locks the mutex again, which the _ctx form does too
 * when it gives up. Any thread. Suspend. */
ANT_API void ant_cond_wait(ant_cond *cond, ant_mutex *mutex);
ANT_API int ant_cond_wait_ctx(ant_cond *cond, ant_mutex *mutex, ant_ctx *ctx);

/* Wakes the one that has waited longest, or all. Any thread, with or without the mutex; do not
 * block. */
ANT_API void ant_cond_signal(ant_cond *cond);
ANT_API void ant_cond_broadcast(ant_cond *cond);

/* ---- wait group ---- */

/* Waits for a collection of things to be done: a counter that waiters wait to be zero. */
typedef struct ant_waitgroup {
    uint64_t state;
    void *goroutines; /* that wait */
    void *others[2];  /* that wait: threads, and those with a context */
} ant_waitgroup;

/* Adds delta, which may be negative. Any thread; does not block. Add before starting what will call
 * done. Panics if the counter becomes negative or exceeds INT32_MAX, or if an add races with
 * the wake-up of waiters. */
ANT_API void ant_waitgroup_add(ant_waitgroup *wg, int delta);

/* Subtracts one: as adding -1. Any thread; does not block. Does not touch *wg after the step that lets the waiters go. */
ANT_API void ant_waitgroup_done(ant_waitgroup *wg);

/* Returns when the counter is zero. Any thread. Suspends. */
ANT_API void ant_waitgroup_wait(ant_waitgroup *wg);
ANT_API int ant_waitgroup_wait_ctx(ant_waitgroup *wg, ant_ctx *ctx);

/* ---- once ---- */

typedef struct ant_once {
    uint32_t done;
    ant_mutex mutex;
} ant_once;

/* Calls fn(arg) if this is the first call with this once; all others return when that has returned.
 * A function that panics, or calls ant_exit, counts as done. It must not call ant_once_do with the
 * same once: that waits for ever. Any thread. Suspends. */
ANT_API void ant_once_do(ant_once *once, void (*fn)(void *), void *arg);

/* ---- weighted semaphore ---- */

/* A number of permits, of which each takes as many as it needs, first come, first served: a large
 * request is not overtaken by small ones that come after it. */
typedef struct ant_sem {
    uint64_t state;
    void *waiters[2];
    int64_t capacity;
} ant_sem;

#define ANT_SEM_MAX ((int64_t)1 << 60)

/* An initialiser: ant_sem sem = ANT_SEM(10); */
#define ANT_SEM(permits)                                                                           \
    {                                                                                              \
        0, {0, 0}, (permits)                                                                       \
    }

/* Makes *sem one with that many permits. Any thread; does not block. -EINVAL if permits is negative
 * or exceeds ANT_SEM_MAX. Undefined while the semaphore is in use. */
ANT_API int ant_sem_init(ant_sem *sem, int64_t permits);

/* Takes n permits. Any thread. Suspends. Returns 0; -EINVAL if n is negative, or exceeds the
 * capacity: it could never be had. */
ANT_API int ant_sem_acquire(ant_sem *sem, int64_t n);
ANT_API int ant_sem_acquire_ctx(ant_sem *sem, int64_t n, ant_ctx *ctx);

/* Takes n permits if they are there and nobody waits. Any thread; does not block. Returns 0;
 * -EAGAIN if not; -EINVAL. */
ANT_API int ant_sem_try_acquire(ant_sem *sem, int64_t n);

/* Gives n permits back. Any thread; does not block. Panics if n is negative or more than is
 * taken. */
ANT_API void ant_sem_release(ant_sem *sem, int64_t n);

/* ---- spin lock ---- */

/* For sections of a few instructions that do not suspend. Waiting for it spins, longer from try to
 * try; but as its holder may be a thread that lost its CPU, after a short while it sleeps, as
 * a thread: in a goroutine that keeps the others of its P from running. When in doubt take
 * ant_mutex. */
typedef struct ant_spinlock {
    uint32_t state;
} ant_spinlock;

/* Any thread. Between lock and unlock a goroutine must not suspend. */
ANT_API void ant_spinlock_lock(ant_spinlock *lock);
ANT_API bool ant_spinlock_try_lock(ant_spinlock *lock);
ANT_API void ant_spinlock_unlock(ant_spinlock *lock);

ANT_END_DECLS

#endif
