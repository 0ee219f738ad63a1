/* multipool.h - several pools as one: tasks are spread among them by a strategy.
 *
 * A pool of ours does not suffer from many submitters at once, so nobody needs this to go faster.
 * It is for who wants several pools with a limit each. A submit goes to the pool that the strategy
 * chooses; if that one is full, to any other that is not; if all are, it waits for the first worker
 * of any of them, or fails, as the options say. The options hold for each of the pools, but
 * max_blocking and queue for all of them together.
 *
 * The calls are those of pool.h with ant_multi_ for ant_: see there. The figures are sums over all
 * pools, -1 if they have no limit.
 */
#ifndef ANTHILL_MULTIPOOL_H
#define ANTHILL_MULTIPOOL_H

#include <anthill/pool.h>

ANT_BEGIN_DECLS

enum ant_strategy {
    ANT_ROUND_ROBIN = 2, /* one after the other */
    ANT_LEAST_TASKS = 4, /* the one that runs the fewest tasks, of several the first */
};

typedef struct ant_multi_pool ant_multi_pool;
typedef struct ant_multi_func_pool ant_multi_func_pool;

/* Makes n pools of up to size_each workers. Returns what ant_pool_new and ant_func_pool_new return;
 * before that ANT_EMULTISIZE if n <= 0, then ANT_ESTRATEGY. */
ANT_API int ant_multi_pool_new(ant_multi_pool **ret_pool, int n, int size_each,
                               enum ant_strategy strategy, const ant_pool_options *options);
ANT_API int ant_multi_func_pool_new(ant_multi_func_pool **ret_pool, int n, int size_each,
                                    void (*fn)(void *arg), size_t arg_size,
                                    enum ant_strategy strategy, const ant_pool_options *options);

ANT_API int ant_multi_pool_submit(ant_multi_pool *pool, void (*fn)(void *), void *arg);
ANT_API int ant_multi_pool_submit_copy(ant_multi_pool *pool, void (*fn)(void *), const void *arg,
                                       size_t size);
ANT_API int ant_multi_pool_try_submit(ant_multi_pool *pool, void (*fn)(void *), void *arg);
ANT_API int ant_multi_pool_try_submit_copy(ant_multi_pool *pool, void (*fn)(void *),
                                           const void *arg, size_t size);
ANT_API int ant_multi_pool_submit_ctx(ant_multi_pool *pool, void (*fn)(void *), void *arg,
                                      ant_ctx *ctx);
ANT_API int ant_multi_pool_submit_copy_ctx(ant_multi_pool *pool, void (*fn)(void *),
                                           const void *arg, size_t size, ant_ctx *ctx);

ANT_API int ant_multi_func_pool_invoke(ant_multi_func_pool *pool, const void *arg);
ANT_API int ant_multi_func_pool_try_invoke(ant_multi_func_pool *pool, const void *arg);
ANT_API int ant_multi_func_pool_invoke_ctx(ant_multi_func_pool *pool, const void *arg,
                                           ant_ctx *ctx);

/* The same figures for one of the pools, from 0 on. Who waits is counted where the strategy had
 * sent it. ANT_EPOOLINDEX if there is none. */
ANT_API int ant_multi_pool_running_by_index(const ant_multi_pool *pool, int index, int *ret_n);
ANT_API int ant_multi_pool_free_by_index(const ant_multi_pool *pool, int index, int *ret_n);
ANT_API int ant_multi_pool_waiting_by_index(const ant_multi_pool *pool, int index, int *ret_n);
ANT_API int ant_multi_func_pool_running_by_index(const ant_multi_func_pool *pool, int index,
                                                 int *ret_n);
ANT_API int ant_multi_func_pool_free_by_index(const ant_multi_func_pool *pool, int index,
                                              int *ret_n);
ANT_API int ant_multi_func_pool_waiting_by_index(const ant_multi_func_pool *pool, int index,
                                                 int *ret_n);

/* size: of each pool. */
ANT_API int ant_multi_pool_tune(ant_multi_pool *pool, int size);
ANT_API int ant_multi_func_pool_tune(ant_multi_func_pool *pool, int size);

ANT_API int ant_multi_pool_running(const ant_multi_pool *pool);
ANT_API int ant_multi_pool_free(const ant_multi_pool *pool);
ANT_API int ant_multi_pool_waiting(const ant_multi_pool *pool);
ANT_API int ant_multi_pool_cap(const ant_multi_pool *pool);
ANT_API bool ant_multi_pool_is_closed(const ant_multi_pool *pool);
ANT_API int ant_multi_pool_stats_get(const ant_multi_pool *pool, ant_pool_stats *ret_stats);
ANT_API int ant_multi_pool_wait(ant_multi_pool *pool);
ANT_API int ant_multi_pool_wait_ctx(ant_multi_pool *pool, ant_ctx *ctx);
ANT_API int ant_multi_pool_release(ant_multi_pool *pool);
ANT_API int ant_multi_pool_release_timeout(ant_multi_pool *pool, ant_duration timeout);
ANT_API int ant_multi_pool_release_ctx(ant_multi_pool *pool, ant_ctx *ctx);
ANT_API int ant_multi_pool_reboot(ant_multi_pool *pool);
ANT_API int ant_multi_pool_destroy(ant_multi_pool *pool);

ANT_API int ant_multi_func_pool_running(const ant_multi_func_pool *pool);
ANT_API int ant_multi_func_pool_free(const ant_multi_func_pool *pool);
ANT_API int ant_multi_func_pool_waiting(const ant_multi_func_pool *pool);
ANT_API int ant_multi_func_pool_cap(const ant_multi_func_pool *pool);
ANT_API bool ant_multi_func_pool_is_closed(const ant_multi_func_pool *pool);
ANT_API int ant_multi_func_pool_stats_get(const ant_multi_func_pool *pool,
                                          ant_pool_stats *ret_stats);
ANT_API int ant_multi_func_pool_wait(ant_multi_func_pool *pool);
ANT_API int ant_multi_func_pool_wait_ctx(ant_multi_func_pool *pool, ant_ctx *ctx);
ANT_API int ant_multi_func_pool_release(ant_multi_func_pool *pool);
ANT_API int ant_multi_func_pool_release_timeout(ant_multi_func_pool *pool, ant_duration timeout);
ANT_API int ant_multi_func_pool_release_ctx(ant_multi_func_pool *pool, ant_ctx *ctx);
ANT_API int ant_multi_func_pool_reboot(ant_multi_func_pool *pool);
ANT_API int ant_multi_func_pool_destroy(ant_multi_func_pool *pool);

ANT_END_DECLS

/* As ANT_FUNC_POOL_DEFINE, with name_new(&pool, n, size_each, fn, strategy, options). */
#define ANT_MULTI_FUNC_POOL_DEFINE(name, T) ANT__TYPED_POOL_DEFINE(name, T, ant_multi_func_pool)

#define ANT__TYPED_NEW_ant_multi_func_pool(name, T)                                                \
    ANT_INLINE int name##_new(name *ret_pool, int n, int size_each, void (*fn)(T),                 \
                              enum ant_strategy strategy, const ant_pool_options *options)         \
    {                                                                                              \
        ret_pool->fn = fn;                                                                         \
        return ant_multi_func_pool_new(&ret_pool->pool, n, size_each, fn ? name##_run_ : NULL,     \
                                       sizeof(struct name##_call_), strategy, options);            \
    }

#endif
