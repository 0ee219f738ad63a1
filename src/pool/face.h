/* face.h - what all kinds of pools offer under a name of their own: the same functions on the same
 * thing, so that the compiler can tell the kinds apart and a reader finds a plain function for each
 * name. */
#ifndef ANT_POOL_FACE_H
#define ANT_POOL_FACE_H

#include "pool/pool.h"

/* kind is a prefix, as in ant_pool_running, and a type. */
#define ANT__POOL_FACE(kind)                                                                       \
    int kind##_running(const kind *pool)                                                           \
    {                                                                                              \
        return pool ? ant__pool_running((const struct ant__pool *)pool) : 0;                       \
    }                                                                                              \
    int kind##_free(const kind *pool)                                                              \
    {                                                                                              \
        return pool ? ant__pool_free_slots((const struct ant__pool *)pool) : 0;                    \
    }                                                                                              \
    int kind##_waiting(const kind *pool)                                                           \
    {                                                                                              \
        return pool ? ant__pool_waiting((const struct ant__pool *)pool) : 0;                       \
    }                                                                                              \
    int kind##_cap(const kind *pool)                                                               \
    {                                                                                              \
        return pool ? ant__pool_cap((const struct ant__pool *)pool) : 0;                           \
    }                                                                                              \
    bool kind##_is_closed(const kind *pool)                                                        \
    {                                                                                              \
        return !pool || ant__pool_is_closed((const struct ant__pool *)pool);                       \
    }                                                                                              \
    int kind##_stats_get(const kind *pool, ant_pool_stats *ret_stats)                              \
    {                                                                                              \
        return ant__pool_stats((struct ant__pool *)pool, ret_stats);                               \
    }                                                                                              \
    int kind##_tune(kind *pool, int size)                                                          \
    {                                                                                              \
        return ant__pool_tune((struct ant__pool *)pool, size);                                     \
    }                                                                                              \
    int kind##_wait_ctx(kind *pool, ant_ctx *ctx)                                                  \
    {                                                                                              \
        return pool ? ant__pool_wait((struct ant__pool *)pool, ANT__ANY_LIFE, ctx) : -EINVAL;      \
    }                                                                                              \
    int kind##_wait(kind *pool)                                                                    \
    {                                                                                              \
        return kind##_wait_ctx(pool, NULL);                                                        \
    }                                                                                              \
    int kind##_release(kind *pool)                                                                 \
    {                                                                                              \
        return ant__pool_release((struct ant__pool *)pool);                                        \
    }                                                                                              \
    int kind##_release_timeout(kind *pool, ant_duration timeout)                                   \
    {                                                                                              \
        return ant__pool_release_timeout((struct ant__pool *)pool, timeout);                       \
    }                                                                                              \
    int kind##_release_ctx(kind *pool, ant_ctx *ctx)                                               \
    {                                                                                              \
        return ant__pool_release_ctx((struct ant__pool *)pool, ctx);                               \
    }                                                                                              \
    int kind##_reboot(kind *pool)                                                                  \
    {                                                                                              \
        return ant__pool_reboot((struct ant__pool *)pool);                                         \
    }                                                                                              \
    int kind##_destroy(kind *pool)                                                                 \
    {                                                                                              \
        return ant__pool_destroy((struct ant__pool *)pool);                                        \
    }

/* For pools that take any task. */
#define ANT__POOL_FACE_SUBMIT(kind)                                                                \
    int kind##_submit(kind *pool, void (*fn)(void *), void *arg)                                   \
    {                                                                                              \
        return ANT__SUBMIT(pool, fn, arg, 0, ANT__WAIT, NULL);                                     \
    }                                                                                              \
    int kind##_submit_copy(kind *pool, void (*fn)(void *), const void *arg, size_t size)           \
    {                                                                                              \
        return ANT__SUBMIT(pool, fn, arg, size, ANT__WAIT, NULL);                                  \
    }                                                                                              \
    int kind##_try_submit(kind *pool, void (*fn)(void *), void *arg)                               \
    {                                                                                              \
        return ANT__SUBMIT(pool, fn, arg, 0, ANT__FAIL, NULL);                                     \
    }                                                                                              \
    int kind##_try_submit_copy(kind *pool, void (*fn)(void *), const void *arg, size_t size)       \
    {                                                                                              \
        return ANT__SUBMIT(pool, fn, arg, size, ANT__FAIL, NULL);                                  \
    }                                                                                              \
    int kind##_submit_ctx(kind *pool, void (*fn)(void *), void *arg, ant_ctx *ctx)                 \
    {                                                                                              \
        return ANT__SUBMIT(pool, fn, arg, 0, ANT__WAIT, ctx);                                      \
    }                                                                                              \
    int kind##_submit_copy_ctx(kind *pool, void (*fn)(void *), const void *arg, size_t size,       \
                               ant_ctx *ctx)                                                       \
    {                                                                                              \
        return ANT__SUBMIT(pool, fn, arg, size, ANT__WAIT, ctx);                                   \
    }

#define ANT__SUBMIT(pool, fn_, arg_, size_, when_full, ctx)                                        \
    ant__pool_submit(                                                                              \
        (struct ant__pool *)(pool),                                                                \
        &(struct ant__task){                                                                       \
            .fn = (fn_), .arg = (arg_), .size = (size_), .creator = __builtin_return_address(0)},  \
        when_full, ctx)

/* For pools with a function. */
#define ANT__POOL_FACE_INVOKE(kind)                                                                \
    int kind##_invoke(kind *pool, const void *arg)                                                 \
    {                                                                                              \
        return ANT__INVOKE(pool, arg, ANT__WAIT, NULL);                                            \
    }                                                                                              \
    int kind##_try_invoke(kind *pool, const void *arg)                                             \
    {                                                                                              \
        return ANT__INVOKE(pool, arg, ANT__FAIL, NULL);                                            \
    }                                                                                              \
    int kind##_invoke_ctx(kind *pool, const void *arg, ant_ctx *ctx)                               \
    {                                                                                              \
        return ANT__INVOKE(pool, arg, ANT__WAIT, ctx);                                             \
    }

#define ANT__INVOKE(pool, arg, when_full, ctx)                                                     \
    ((pool) ? ANT__SUBMIT(pool, ((struct ant__pool *)(pool))->fn, arg,                             \
                          ((struct ant__pool *)(pool))->room, when_full, ctx)                      \
            : -EINVAL)

#endif
