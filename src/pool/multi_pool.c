/* multi_pool.c - ant_multi_pool and ant_multi_func_pool: pools with several teams. */
#include <errno.h>

#include "pool/face.h"

ANT__POOL_FACE(ant_multi_pool)
ANT__POOL_FACE_SUBMIT(ant_multi_pool)
ANT__POOL_FACE(ant_multi_func_pool)
ANT__POOL_FACE_INVOKE(ant_multi_func_pool)

static int make(struct ant__pool **ret_pool, struct ant__pool_plan *plan)
{
    if (!ret_pool)
        return -EINVAL;
    if (plan->teams <= 0)
        return ANT_EMULTISIZE;
    if (plan->strategy != ANT_ROUND_ROBIN && plan->strategy != ANT_LEAST_TASKS)
        return ANT_ESTRATEGY;
    if (plan->capacity <= 0)
        plan->capacity = -1;
    return ant__pool_new(ret_pool, plan);
}

int ant_multi_pool_new(ant_multi_pool **ret_pool, int n, int size_each, enum ant_strategy strategy,
                       const ant_pool_options *options)
{
    return make((struct ant__pool **)ret_pool,
                &(struct ant__pool_plan){
                    .teams = n, .capacity = size_each, .strategy = strategy, .options = options});
}

int ant_multi_func_pool_new(ant_multi_func_pool **ret_pool, int n, int size_each,
                            void (*fn)(void *arg), size_t arg_size, enum ant_strategy strategy,
                            const ant_pool_options *options)
{
    return make((struct ant__pool **)ret_pool, &(struct ant__pool_plan){.teams = n,
                                                                        .capacity = size_each,
                                                                        .strategy = strategy,
                                                                        .with_fn = true,
                                                                        .fn = fn,
                                                                        .arg_size = arg_size,
                                                                        .options = options});
}

/* ---- one of the pools ---- */

static int team_running(struct ant__team *team)
{
    return ant__load_relaxed(&team->running);
}

static int team_free(struct ant__team *team)
{
    return ant__team_free_slots(team);
}

static int team_waiting(struct ant__team *team)
{
    return ant__load_relaxed(&team->blocked);
}

static int by_index(const void *any, int index, int (*figure)(struct ant__team *), int *ret_n)
{
    const struct ant__pool *pool = any;

    if (!pool || !ret_n)
        return -EINVAL;
    *ret_n = -1;
    if (index < 0 || index >= pool->teams_n)
        return ANT_EPOOLINDEX;
    *ret_n = figure(&pool->teams[index]);
    return 0;
}

#define BY_INDEX(kind, figure)                                                                     \
    int kind##_##figure##_by_index(const kind *pool, int index, int *ret_n)                        \
    {                                                                                              \
        return by_index(pool, index, team_##figure, ret_n);                                        \
    }

BY_INDEX(ant_multi_pool, running)
BY_INDEX(ant_multi_pool, free)
BY_INDEX(ant_multi_pool, waiting)
BY_INDEX(ant_multi_func_pool, running)
BY_INDEX(ant_multi_func_pool, free)
BY_INDEX(ant_multi_func_pool, waiting)
