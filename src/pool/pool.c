/* pool.c - ant_pool and ant_func_pool. */
#include <errno.h>

#include "pool/face.h"

ANT__POOL_FACE(ant_pool)
ANT__POOL_FACE_SUBMIT(ant_pool)
ANT__POOL_FACE(ant_func_pool)
ANT__POOL_FACE_INVOKE(ant_func_pool)

int ant_pool_new(ant_pool **ret_pool, int size, const ant_pool_options *options)
{
    if (!ret_pool)
        return -EINVAL;
    return ant__pool_new(
        (struct ant__pool **)ret_pool,
        &(struct ant__pool_plan){.teams = 1, .capacity = size > 0 ? size : -1, .options = options});
}

int ant_func_pool_new(ant_func_pool **ret_pool, int size, void (*fn)(void *arg), size_t arg_size,
                      const ant_pool_options *options)
{
    if (!ret_pool)
        return -EINVAL;
    return ant__pool_new((struct ant__pool **)ret_pool,
                         &(struct ant__pool_plan){.teams = 1,
                                                  .capacity = size > 0 ? size : -1,
                                                  .with_fn = true,
                                                  .fn = fn,
                                                  .arg_size = arg_size,
                                                  .options = options});
}
