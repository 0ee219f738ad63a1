/* pool_kinds.h - pools of all six kinds behind one set of calls, for tests of what they share.
 *
 * The test defines what a task does: task(i), for the i that was submitted. */
#ifndef ANT_TESTS_POOL_KINDS_H
#define ANT_TESTS_POOL_KINDS_H

#include <anthill.h>

#include "check.h"

static void task(int i);

enum { POOLS = 3 }; /* of a multi pool */

enum form { PLAIN, TRY, WITH_CTX, FORMS };

struct pool_kind {
    const char *name;
    int pools;
    int (*make)(void **ret_pool, int size_each, const ant_pool_options *options);
    int (*submit)(void *pool, int i, enum form form, ant_ctx *ctx);
    int (*running)(void *pool);
    int (*free)(void *pool);
    int (*waiting)(void *pool);
    int (*cap)(void *pool);
    bool (*is_closed)(void *pool);
    int (*stats)(void *pool, ant_pool_stats *ret_stats);
    int (*tune)(void *pool, int size);
    int (*wait)(void *pool);
    int (*wait_ctx)(void *pool, ant_ctx *ctx);
    int (*release)(void *pool);
    int (*release_timeout)(void *pool, ant_duration timeout);
    int (*release_ctx)(void *pool, ant_ctx *ctx);
    int (*reboot)(void *pool);
    int (*destroy)(void *pool);
    /* Of a multi pool. */
    int (*running_by_index)(void *pool, int index, int *ret_n);
    int (*free_by_index)(void *pool, int index, int *ret_n);
    int (*waiting_by_index)(void *pool, int index, int *ret_n);
};

/* ---- with a void * each ---- */

#define KIND_CALL(kind, type, call, parameters, arguments)                                         \
    static type kind##_##call##_ parameters                                                        \
    {                                                                                              \
        return kind##_##call arguments;                                                            \
    }

#define KIND_CALLS(kind)                                                                           \
    KIND_CALL(kind, int, running, (void *p), (p))                                                  \
    KIND_CALL(kind, int, free, (void *p), (p))                                                     \
    KIND_CALL(kind, int, waiting, (void *p), (p))                                                  \
    KIND_CALL(kind, int, cap, (void *p), (p))                                                      \
    KIND_CALL(kind, bool, is_closed, (void *p), (p))                                               \
    KIND_CALL(kind, int, stats_get, (void *p, ant_pool_stats *stats), (p, stats))                  \
    KIND_CALL(kind, int, tune, (void *p, int size), (p, size))                                     \
    KIND_CALL(kind, int, wait, (void *p), (p))                                                     \
    KIND_CALL(kind, int, wait_ctx, (void *p, ant_ctx *ctx), (p, ctx))                              \
    KIND_CALL(kind, int, release, (void *p), (p))                                                  \
    KIND_CALL(kind, int, release_timeout, (void *p, ant_duration d), (p, d))                       \
    KIND_CALL(kind, int, release_ctx, (void *p, ant_ctx *ctx), (p, ctx))                           \
    KIND_CALL(kind, int, reboot, (void *p), (p))                                                   \
    KIND_CALL(kind, int, destroy, (void *p), (p))

#define KIND_INDEX_CALLS(kind)                                                                     \
    KIND_CALL(kind, int, running_by_index, (void *p, int i, int *n), (p, i, n))                    \
    KIND_CALL(kind, int, free_by_index, (void *p, int i, int *n), (p, i, n))                       \
    KIND_CALL(kind, int, waiting_by_index, (void *p, int i, int *n), (p, i, n))

KIND_CALLS(ant_pool)
KIND_CALLS(ant_func_pool)
KIND_CALLS(ant_multi_pool)
KIND_CALLS(ant_multi_func_pool)
KIND_INDEX_CALLS(ant_multi_pool)
KIND_INDEX_CALLS(ant_multi_func_pool)

#define THE_CALLS(kind)                                                                            \
    .running = kind##_running_, .free = kind##_free_, .waiting = kind##_waiting_,                  \
    .cap = kind##_cap_, .is_closed = kind##_is_closed_, .stats = kind##_stats_get_,                \
    .tune = kind##_tune_, .wait = kind##_wait_, .wait_ctx = kind##_wait_ctx_,                      \
    .release = kind##_release_, .release_timeout = kind##_release_timeout_,                        \
    .release_ctx = kind##_release_ctx_, .reboot = kind##_reboot_, .destroy = kind##_destroy_

#define THE_INDEX_CALLS(kind)                                                                      \
    .running_by_index = kind##_running_by_index_, .free_by_index = kind##_free_by_index_,          \
    .waiting_by_index = kind##_waiting_by_index_

/* ---- making and submitting ---- */

static void task_at(void *arg)
{
    task(*(int *)arg);
}

static void task_of(void *arg)
{
    task((int)(intptr_t)arg);
}

ANT_FUNC_POOL_DEFINE(typed, int);
ANT_MULTI_FUNC_POOL_DEFINE(multi_typed, int);

/* With which multi pools are made: each kind has its usual one, or the other one. */
static bool other_strategy;

static enum ant_strategy strategy(enum ant_strategy usual)
{
    if (!other_strategy)
        return usual;
    return usual == ANT_ROUND_ROBIN ? ANT_LEAST_TASKS : ANT_ROUND_ROBIN;
}

static int make_pool(void **ret, int size, const ant_pool_options *o)
{
    return ant_pool_new((ant_pool **)ret, size, o);
}

static int make_func(void **ret, int size, const ant_pool_options *o)
{
    return ant_func_pool_new((ant_func_pool **)ret, size, task_at, sizeof(int), o);
}

static int make_typed(void **ret, int size, const ant_pool_options *o)
{
    typed pool;
    int err = typed_new(&pool, size, task, o);

    *ret = typed_any(&pool);
    return err;
}

static int make_multi(void **ret, int size, const ant_pool_options *o)
{
    return ant_multi_pool_new((ant_multi_pool **)ret, POOLS, size, strategy(ANT_ROUND_ROBIN), o);
}

static int make_multi_func(void **ret, int size, const ant_pool_options *o)
{
    return ant_multi_func_pool_new((ant_multi_func_pool **)ret, POOLS, size, task_at, sizeof(int),
                                   strategy(ANT_LEAST_TASKS), o);
}

static int make_multi_typed(void **ret, int size, const ant_pool_options *o)
{
    multi_typed pool;
    int err = multi_typed_new(&pool, POOLS, size, task, strategy(ANT_LEAST_TASKS), o);

    *ret = multi_typed_any(&pool);
    return err;
}

/* Odd ones travel as a copy. */
#define SUBMIT_ANY(kind)                                                                           \
    static int kind##_submit_any(void *p, int i, enum form form, ant_ctx *ctx)                     \
    {                                                                                              \
        void *value = (void *)(intptr_t)i;                                                         \
                                                                                                   \
        if (i % 2 == 0)                                                                            \
            return form == PLAIN ? kind##_submit(p, task_of, value)                                \
                   : form == TRY ? kind##_try_submit(p, task_of, value)                            \
                                 : kind##_submit_ctx(p, task_of, value, ctx);                      \
        return form == PLAIN ? kind##_submit_copy(p, task_at, &i, sizeof i)                        \
               : form == TRY ? kind##_try_submit_copy(p, task_at, &i, sizeof i)                    \
                             : kind##_submit_copy_ctx(p, task_at, &i, sizeof i, ctx);              \
    }

#define INVOKE_ANY(kind)                                                                           \
    static int kind##_invoke_any(void *p, int i, enum form form, ant_ctx *ctx)                     \
    {                                                                                              \
        return form == PLAIN ? kind##_invoke(p, &i)                                                \
               : form == TRY ? kind##_try_invoke(p, &i)                                            \
                             : kind##_invoke_ctx(p, &i, ctx);                                      \
    }

#define INVOKE_TYPED(name)                                                                         \
    static int name##_invoke_any(void *p, int i, enum form form, ant_ctx *ctx)                     \
    {                                                                                              \
        const name pool = {p, task};                                                               \
                                                                                                   \
        return form == PLAIN ? name##_invoke(&pool, i)                                             \
               : form == TRY ? name##_try_invoke(&pool, i)                                         \
                             : name##_invoke_ctx(&pool, i, ctx);                                   \
    }

SUBMIT_ANY(ant_pool)
SUBMIT_ANY(ant_multi_pool)
INVOKE_ANY(ant_func_pool)
INVOKE_ANY(ant_multi_func_pool)
INVOKE_TYPED(typed)
INVOKE_TYPED(multi_typed)

enum { KINDS = 6 };

static const struct pool_kind pool_kinds[KINDS] = {
    {"pool", 1, make_pool, ant_pool_submit_any, THE_CALLS(ant_pool)},
    {"func", 1, make_func, ant_func_pool_invoke_any, THE_CALLS(ant_func_pool)},
    {"typed", 1, make_typed, typed_invoke_any, THE_CALLS(ant_func_pool)},
    {"multi", POOLS, make_multi, ant_multi_pool_submit_any, THE_CALLS(ant_multi_pool),
     THE_INDEX_CALLS(ant_multi_pool)},
    {"multi func", POOLS, make_multi_func, ant_multi_func_pool_invoke_any,
     THE_CALLS(ant_multi_func_pool), THE_INDEX_CALLS(ant_multi_func_pool)},
    {"multi typed", POOLS, make_multi_typed, multi_typed_invoke_any, THE_CALLS(ant_multi_func_pool),
     THE_INDEX_CALLS(ant_multi_func_pool)},
};

#endif
