/* typed_pool_mistakes.c - what the compiler is to refuse, by number: for scripts/typed_pool.cmake. C
 * and C++; 11 and 12 are mistakes in C++ only. */
#include <anthill.h>

#ifdef __cplusplus
#define _Alignas alignas
#endif

#ifndef MISTAKE
#define MISTAKE 0
#endif

struct url {
    const char *text;
};

struct other {
    const char *text;
};

/* As far as it may be aligned. */
struct aligned {
    _Alignas(16) char bytes[48];
};

ANT_FUNC_POOL_DEFINE(aligned_pool, struct aligned);
ANT_MULTI_FUNC_POOL_DEFINE(aligned_pools, struct aligned);

#if MISTAKE == 9 || MISTAKE == 10
struct over_aligned {
    _Alignas(32) char bytes[64];
};
#endif

#if MISTAKE == 9
ANT_FUNC_POOL_DEFINE(over_pool, struct over_aligned);
#elif MISTAKE == 10
ANT_MULTI_FUNC_POOL_DEFINE(over_pools, struct over_aligned);
#elif MISTAKE == 11
struct owner {
    char *text;
    ~owner();
};

ANT_FUNC_POOL_DEFINE(owner_pool, owner);
#elif MISTAKE == 12
struct owner {
    char *text;
    owner(const owner &other);
};

ANT_MULTI_FUNC_POOL_DEFINE(owner_pools, owner);
#endif

ANT_FUNC_POOL_DEFINE(url_pool, struct url);
ANT_MULTI_FUNC_POOL_DEFINE(url_pools, struct url);

void fetch(struct url url);
void bad_fetch(struct other other);

int use(url_pool *pool, url_pools *pools, struct url a_url, struct other a_other)
{
    int err = url_pool_new(pool, 1, fetch, NULL) +
              url_pools_new(pools, 1, 1, fetch, ANT_ROUND_ROBIN, NULL);

    (void)a_other;
#if MISTAKE == 1
    err += url_pool_invoke(pool, a_other);
#elif MISTAKE == 2
    err += url_pool_try_invoke(pool, &a_url);
#elif MISTAKE == 3
    err += url_pool_invoke_ctx(pool, a_other, NULL);
#elif MISTAKE == 4
    err += url_pool_new(pool, 1, bad_fetch, NULL);
#elif MISTAKE == 5
    err += url_pools_invoke(pools, a_other);
#elif MISTAKE == 6
    err += url_pools_new(pools, 1, 1, bad_fetch, ANT_ROUND_ROBIN, NULL);
#elif MISTAKE == 7
    err += url_pools_invoke(pool, a_url);
#elif MISTAKE == 8
    err += url_pool_invoke(pool, 5); /* is no url_pool's argument */
#endif
    return err + url_pool_invoke(pool, a_url) + url_pools_invoke(pools, a_url);
}
