/* pool.h - pools: at most so many tasks at a time, by workers that are used again and again.
 *
 *     static void task(void *arg) { ... }
 *
 *     ant_pool *pool;
 *     int err = ant_pool_new(&pool, 1000, &(ant_pool_options){.name = "crawler"});
 *     ...
 *     err = ant_pool_submit(pool, task, arg);    // waits while 1000 tasks are running
 *     ...
 *     ant_pool_destroy(pool);                    // waits for the tasks that are left
 *
 * Workers are made when they are needed, up to the capacity of the pool. A worker that has finished
 * takes the task of the submitter that has waited longest, or becomes idle; one that has been idle
 * for the time of expiry is retired. An idle worker has no goroutine and no stack: it costs about
 * 128 bytes.
 *
 * A submit that returned 0 has handed its task over: it will run, exactly once, also if the pool is
 * released right after. A panic in a task ends its worker, is told to the panic handler, and
 * nothing else happens; ant_exit ends only the task.
 *
 * A submit for which there is no memory returns -ENOMEM. But tasks that wait need a stack each, which
 * is found only when the task before has begun: if there is no memory for it then, the process ends
 * with a message, since a task that was accepted cannot be given back.
 *
 * All calls may come from goroutines, tasks of the pool included, and from plain threads. A pool
 * belongs to the run of the runtime in which it was made: when that is stopped, all that can be
 * done with the pool is to destroy it. Release it before, if plain threads may be waiting in a call:
 * after the stop nobody would wake them.
 */
#ifndef ANTHILL_POOL_H
#define ANTHILL_POOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <anthill/context.h>
#include <anthill/go.h>
#include <anthill/panic.h>
#include <anthill/time.h>
#include <anthill/version.h>

ANT_BEGIN_DECLS

#define ANT_POOL_EXPIRY ANT_SECOND /* of idle workers, if nothing else is said */
#define ANT_POOL_ARG_MAX ((size_t)1 << 20)

/* A task begins as in a goroutine of its own. When it returns, its goroutine-local values are destroyed,
 * it goes back to the common floating-point environment, and it is untied from its thread, which others
 * use again.
 *
 * What is zero has the default. */
typedef struct ant_pool_options {
    const char *name;    /* in messages, dumps and statistics; must stay valid */
    ant_duration expiry; /* how long a worker may be idle: ANT_POOL_EXPIRY */
    bool disable_purge;  /* none is retired for being idle */
    int min_workers;     /* so many are there from the beginning, and while the capacity allows it;
                              each that is lost by a panic or by ant_exit is replaced */
    bool prealloc;       /* the list of idle workers has room for all of them from the beginning */
    bool nonblocking;    /* if all workers are busy, submit fails instead of waiting */
    int max_blocking;    /* how many may wait in submit at a time: any number */
    int queue;           /* if all workers are busy, so many tasks are kept until one is free,
                              before submit waits or fails: none */
    bool caller_runs;    /* where submit would fail because the pool is full, or would wait for
                              ever, it calls the function itself; ant_pool_wait and the
                              forms of release do not wait for such a call */
    size_t stack_size;   /* of the goroutines that run the tasks, as in ant_go_options */
    ant_preempt preempt; /* whether tasks may be interrupted, see there; handlers never are */
    bool blocking;       /* tasks may block their threads at any time, as in ant_go_options */
    /* Called in the goroutine of the worker that panicked, when that is no longer counted as
     * running and its place is free again, on its stack. A panic in it ends the process. Without
     * one the message and the backtrace go to the logger. */
    void (*panic_handler)(const ant_panic_info *info, void *arg);
    void *panic_arg;
    /* Is given the text, several lines, in the same place. Without one it goes to standard
     * error. */
    void (*logger)(const char *text, void *arg);
    void *logger_arg;
} ant_pool_options;

typedef struct ant_pool_stats {
    const char *name;
    int capacity;      /* -1: no limit */
    int running;       /* workers, idle ones too */
    int idle, busy;    /* of these */
    int waiting;       /* submitters */
    int queued;        /* tasks, by option queue */
    uint64_t started;  /* tasks that were given to a worker, or run by their submitters */
    uint64_t rejected; /* submits that returned ANT_EOVERLOAD */
    uint64_t panicked; /* tasks */
    uint64_t expired;  /* workers retired for being idle */
} ant_pool_stats;

/* ---- a pool for tasks of any kind ---- */

typedef struct ant_pool ant_pool;

/* Makes a pool of up to size workers; any number if size <= 0. Any thread; does not block. Returns
 * 0; ANT_EPOOLEXPIRY if the expiry is negative and purging is not disabled; ANT_EPOOLPREALLOC if it
 * is to be preallocated and has no limit; -EINVAL if ret_pool is NULL, or another option is
 * negative, or min_workers exceeds size, or stack_size or preempt is bad; -ENOMEM;
 * ANT_ENOTRUNNING. */
ANT_API int ant_pool_new(ant_pool **ret_pool, int size, const ant_pool_options *options);

/* Runs fn(arg) in a worker, waiting for one if all are busy, behind those that wait already. Any
 * thread. Suspends. Returns 0; ANT_ECLOSED if the pool is released, or is while this waits;
 * ANT_EOVERLOAD if the pool is full and nonblocking, or max_blocking others wait; ANT_EDEADLOCK if
 * a task of the pool called, and with it every worker would wait for another one; -EINVAL if fn is
 * NULL; -ENOMEM; ANT_ENOTRUNNING. If it does not return 0, fn is not called. */
ANT_API int ant_pool_submit(ant_pool *pool, void (*fn)(void *), void *arg);

/* The same with a copy of size bytes at arg, aligned as malloc does it, which is there until fn
 * returns. Up to 64 bytes need no memory. */
ANT_API int ant_pool_submit_copy(ant_pool *pool, void (*fn)(void *), const void *arg, size_t size);

/* The same without waiting: ANT_EOVERLOAD if no worker is free. Do not block. */
ANT_API int ant_pool_try_submit(ant_pool *pool, void (*fn)(void *), void *arg);
ANT_API int ant_pool_try_submit_copy(ant_pool *pool, void (*fn)(void *), const void *arg,
                                     size_t size);

/* The same, waiting until ctx is done at most (NULL: for ever): ANT_ECANCELED, ANT_ETIMEOUT. If ctx
 * may be done, a task of the pool that would wait for itself does wait, for that, instead of
 * getting ANT_EDEADLOCK. */
ANT_API int ant_pool_submit_ctx(ant_pool *pool, void (*fn)(void *), void *arg, ant_ctx *ctx);
ANT_API int ant_pool_submit_copy_ctx(ant_pool *pool, void (*fn)(void *), const void *arg,
                                     size_t size, ant_ctx *ctx);

/* How many workers there are, idle ones too; how many more there may be (-1: no limit; negative
 * after the capacity was lowered beneath what is running); how many callers wait in submit; the
 * capacity (-1: no limit). Any thread; do not block. 0 for NULL. */
ANT_API int ant_pool_running(const ant_pool *pool);
ANT_API int ant_pool_free(const ant_pool *pool);
ANT_API int ant_pool_waiting(const ant_pool *pool);
ANT_API int ant_pool_cap(const ant_pool *pool);

/* Whether it was released. Any thread; does not block. True for NULL. */
ANT_API bool ant_pool_is_closed(const ant_pool *pool);

/* Any thread; does not block. Returns 0 or -EINVAL. */
ANT_API int ant_pool_stats_get(const ant_pool *pool, ant_pool_stats *ret_stats);

/* Changes the capacity. If it grows, those that wait get workers at once; if it shrinks, idle
 * workers beyond it are retired at once, and busy ones when they have finished. Any thread; does
 * not block. Returns 0; -EINVAL if size <= 0; -EOPNOTSUPP if the pool has no limit, or is
 * preallocated; -ENOMEM: it is done, but there was no memory for all workers that
 * could have been added. */
ANT_API int ant_pool_tune(ant_pool *pool, int size);

/* Waits until no task runs, and none waits for a worker. Others may submit meanwhile, and it waits
 * for these too. Any thread. Suspends. Returns 0; -EINVAL; ANT_EDEADLOCK if a task or a panic
 * handler of the pool calls; the _ctx form also ANT_ECANCELED and ANT_ETIMEOUT. */
ANT_API int ant_pool_wait(ant_pool *pool);
ANT_API int ant_pool_wait_ctx(ant_pool *pool, ant_ctx *ctx);

/* Closes the pool: from now on submits return ANT_ECLOSED, those that wait too. Tasks that were
 * accepted run to their ends. Idle workers are retired. Any thread; does not wait. Returns 0;
 * ANT_ECLOSED if it is closed already; -EINVAL. */
ANT_API int ant_pool_release(ant_pool *pool);

/* The same, and waits until all tasks, and panic handlers, have returned: for a time, or until ctx
 * is done (NULL: for ever). Any thread. Suspend. Return what ant_pool_release returns; ANT_ETIMEOUT
 * or ANT_ECANCELED if there are tasks left: the pool is closed then, and ant_pool_wait waits again;
 * ANT_EDEADLOCK if a task of the pool calls, likewise; ANT_EREBOOTED if it is opened again
 * meanwhile, and tasks of before may still run; -ENOMEM: it is closed, and nobody has waited. With a
 * timeout <= 0 it does not wait. */
ANT_API int ant_pool_release_timeout(ant_pool *pool, ant_duration timeout);
ANT_API int ant_pool_release_ctx(ant_pool *pool, ant_ctx *ctx);

/* Opens a closed pool again, with the capacity that it was made with or last tuned to; tasks that
 * are still running count. Does nothing to an open one. Any thread; does not block. Returns 0;
 * -EINVAL; -ENOMEM (then it is open, with fewer than min_workers). */
ANT_API int ant_pool_reboot(ant_pool *pool);

/* Releases the pool, waits until all its tasks have returned, and frees it; NULL is no error.
 * Undefined if somebody calls with it meanwhile or later, or if a plain thread destroys it while
 * another stops the runtime: destroy it before or after that. Any thread. Suspends. Returns 0, or
 * ANT_EDEADLOCK, and nothing is done, if a task of the pool calls. */
ANT_API int ant_pool_destroy(ant_pool *pool);

/* ---- the default pool ----
 *
 * One that is always there, practically without limit. It is made at the first use in each run of
 * the runtime, when that of the run before is freed: undefined if a thread is still in one of these
 * calls from then. */

ANT_API int ant_submit(void (*fn)(void *), void *arg);
ANT_API int ant_submit_copy(void (*fn)(void *), const void *arg, size_t size);

/* It itself, for the calls above; do not destroy it. NULL: no memory, or the runtime is not
 * running. */
ANT_API ant_pool *ant_default_pool(void);

/* ---- a pool for one function ----
 *
 * What ant_pool_... does for ant_pool the same call does here: see there. Only new and invoke
 * differ. */

typedef struct ant_func_pool ant_func_pool;

/* Makes a pool whose workers call fn with a copy of an argument of arg_size bytes, aligned to 16.
 * Returns also ANT_EPOOLFUNC, before anything else is looked at, if fn is NULL; -EINVAL if arg_size
 * exceeds ANT_POOL_ARG_MAX. */
ANT_API int ant_func_pool_new(ant_func_pool **ret_pool, int size, void (*fn)(void *arg),
                              size_t arg_size, const ant_pool_options *options);

/* As ant_pool_submit and its kin: fn is called with a copy of *arg; -EINVAL if arg is NULL and
 * arg_size is not 0. */
ANT_API int ant_func_pool_invoke(ant_func_pool *pool, const void *arg);
ANT_API int ant_func_pool_try_invoke(ant_func_pool *pool, const void *arg);
ANT_API int ant_func_pool_invoke_ctx(ant_func_pool *pool, const void *arg, ant_ctx *ctx);

ANT_API int ant_func_pool_running(const ant_func_pool *pool);
ANT_API int ant_func_pool_free(const ant_func_pool *pool);
ANT_API int ant_func_pool_waiting(const ant_func_pool *pool);
ANT_API int ant_func_pool_cap(const ant_func_pool *pool);
ANT_API bool ant_func_pool_is_closed(const ant_func_pool *pool);
ANT_API int ant_func_pool_stats_get(const ant_func_pool *pool, ant_pool_stats *ret_stats);
ANT_API int ant_func_pool_tune(ant_func_pool *pool, int size);
ANT_API int ant_func_pool_wait(ant_func_pool *pool);
ANT_API int ant_func_pool_wait_ctx(ant_func_pool *pool, ant_ctx *ctx);
ANT_API int ant_func_pool_release(ant_func_pool *pool);
ANT_API int ant_func_pool_release_timeout(ant_func_pool *pool, ant_duration timeout);
ANT_API int ant_func_pool_release_ctx(ant_func_pool *pool, ant_ctx *ctx);
ANT_API int ant_func_pool_reboot(ant_func_pool *pool);
ANT_API int ant_func_pool_destroy(ant_func_pool *pool);

ANT_END_DECLS

/* ---- a pool for one function with an argument of one type, checked by the compiler ----
 *
 *     static void fetch(struct url url) { ... }
 *
 *     ANT_FUNC_POOL_DEFINE(url_pool, struct url);
 *
 *     url_pool pool;
 *     int err = url_pool_new(&pool, 100, fetch, NULL);
 *     err = url_pool_invoke(&pool, url);
 *     url_pool_destroy(&pool);
 *
 * name_any gives the ant_func_pool, for all other calls. A url_pool may be copied.
 *
 * The argument is copied byte by byte, to where malloc might have put it. The compiler refuses what
 * needs more: a type with a larger alignment than 16, and in C++ one that is not trivially
 * copyable, as std::string. Let the argument be a pointer then. */
#define ANT_FUNC_POOL_DEFINE(name, T) ANT__TYPED_POOL_DEFINE(name, T, ant_func_pool)

#ifdef __cplusplus
#define ANT__MAY_BE_COPIED(T) __is_trivially_copyable(T)
#define ANT__ALIGNMENT(T) alignof(T)
#else
#define ANT__MAY_BE_COPIED(T) 1
#define ANT__ALIGNMENT(T) _Alignof(T)
#endif

#define ANT__TYPED_POOL_DEFINE(name, T, any)                                                       \
    typedef struct name {                                                                          \
        any *pool;                                                                                 \
        void (*fn)(T);                                                                             \
    } name;                                                                                        \
    struct name##_call_ {                                                                          \
        void (*fn)(T);                                                                             \
        T arg;                                                                                     \
    };                                                                                             \
    ANT__STATIC_ASSERT(ANT__ALIGNMENT(struct name##_call_) <= 16,                                  \
                       "the argument of a typed pool must not be aligned to more than 16 bytes: "  \
                       "pass a pointer to it");                                                    \
    ANT__STATIC_ASSERT(ANT__MAY_BE_COPIED(T), "the argument of a typed pool must be trivially "    \
                                              "copyable: pass a pointer to it");                   \
    ANT_INLINE void name##_run_(void *call)                                                        \
    {                                                                                              \
        ((struct name##_call_ *)call)->fn(((struct name##_call_ *)call)->arg);                     \
    }                                                                                              \
    ANT_INLINE any *name##_any(const name *p)                                                      \
    {                                                                                              \
        return p->pool;                                                                            \
    }                                                                                              \
    ANT_INLINE int name##_invoke(const name *p, T arg)                                             \
    {                                                                                              \
        struct name##_call_ call = {p->fn, arg};                                                   \
        return any##_invoke(p->pool, &call);                                                       \
    }                                                                                              \
    ANT_INLINE int name##_try_invoke(const name *p, T arg)                                         \
    {                                                                                              \
        struct name##_call_ call = {p->fn, arg};                                                   \
        return any##_try_invoke(p->pool, &call);                                                   \
    }                                                                                              \
    ANT_INLINE int name##_invoke_ctx(const name *p, T arg, ant_ctx *ctx)                           \
    {                                                                                              \
        struct name##_call_ call = {p->fn, arg};                                                   \
        return any##_invoke_ctx(p->pool, &call, ctx);                                              \
    }                                                                                              \
    ANT_INLINE int name##_destroy(name *p)                                                         \
    {                                                                                              \
        return any##_destroy(p->pool);                                                             \
    }                                                                                              \
    ANT__TYPED_NEW_##any(name, T) typedef name name##_defined_ /* takes the semicolon */

#define ANT__TYPED_NEW_ant_func_pool(name, T)                                                      \
    ANT_INLINE int name##_new(name *ret_pool, int size, void (*fn)(T),                             \
                              const ant_pool_options *options)                                     \
    {                                                                                              \
        ret_pool->fn = fn;                                                                         \
        return ant_func_pool_new(&ret_pool->pool, size, fn ? name##_run_ : NULL,                   \
                                 sizeof(struct name##_call_), options);                            \
    }

#endif
