/* ants_38_rest - row 38: what new refuses, and in which order it looks; several options at once;
 * and for pools of six kinds: many tasks, tuning with tasks under way, which a preallocated pool
 * refuses, and submitting after the release. */
#include <errno.h>

#include "ants_nap.h"
#include "check.h"
#include "run_both.h"

static atomic_int logged;

static void bad_expiry(int size)
{
    const ant_pool_options bad = {.expiry = -1};
    ant_pool *pool;
    ant_func_pool *func;
    nap_pool typed;

    CHECK_INT(ant_pool_new(&pool, size, &bad), ANT_EPOOLEXPIRY);
    CHECK_INT(ant_func_pool_new(&func, size, nap_by_copy, sizeof(int), &bad), ANT_EPOOLEXPIRY);
    CHECK_INT(nap_pool_new(&typed, size, nap, &bad), ANT_EPOOLEXPIRY);
    CHECK_INT(ant_func_pool_new(&func, size, NULL, sizeof(int), &bad), ANT_EPOOLFUNC);
    CHECK_INT(nap_pool_new(&typed, size, NULL, &bad), ANT_EPOOLFUNC);
}

/* Where nothing is purged, nobody asks when. */
static void bad_expiry_unused(void)
{
    const ant_pool_options unused = {.expiry = -1, .disable_purge = true};
    ant_pool *pool;

    CHECK_INT(ant_pool_new(&pool, 1, &unused), 0);
    CHECK_INT(ant_pool_submit(pool, nap_ten, NULL), 0);
    CHECK_INT(ant_pool_destroy(pool), 0);
    CHECK_INT(atomic_exchange(&ran, 0), 1);
}

static void several_options(void)
{
    const ant_pool_options options = {
        .expiry = 10 * ANT_SECOND, .nonblocking = true, .prealloc = true};
    ant_pool *pool;

    CHECK_INT(ant_pool_new(&pool, 1, &options), 0);
    CHECK_INT(ant_pool_cap(pool), 1);
    CHECK_INT(ant_pool_tune(pool, 2), -EOPNOTSUPP);
    CHECK_INT(ant_pool_cap(pool), 1);
    CHECK_INT(ant_pool_destroy(pool), 0);
}

/* What ants ignores in silence, too. */
static void check_tune(int err, int cap, int size, bool prealloc)
{
    CHECK_INT(err, prealloc ? -EOPNOTSUPP : 0);
    CHECK_INT(cap, prealloc ? size : size / 10);
}

static void plain(int size, const ant_pool_options *options)
{
    ant_pool *pool;
    int tasks = 10 * size, err;

    CHECK_INT(ant_pool_new(&pool, size, options), 0);
    for (int i = 0; i < tasks; i++)
        CHECK_INT(ant_pool_submit(pool, nap_ten, NULL), 0);
    err = ant_pool_tune(pool, size);
    CHECK_INT(ant_pool_cap(pool), size);
    CHECK_INT(ant_pool_tune(pool, size / 10), err);
    check_tune(err, ant_pool_cap(pool), size, options->prealloc);
    CHECK_INT(ant_pool_tune(pool, 0), -EINVAL);
    CHECK_INT(ant_pool_release(pool), 0);
    CHECK_INT(ant_pool_submit(pool, nap_ten, NULL), ANT_ECLOSED);
    CHECK_INT(ant_pool_destroy(pool), 0);
    CHECK_INT(atomic_exchange(&ran, 0), tasks);
}

static void use_and_destroy(nap_pool *pool, int size, bool prealloc,
                            int (*invoke)(const nap_pool *, int))
{
    ant_func_pool *any = nap_pool_any(pool);
    int tasks = 10 * size, err;

    for (int i = 0; i < tasks; i++)
        CHECK_INT(invoke(pool, 10), 0);
    err = ant_func_pool_tune(any, size);
    CHECK_INT(ant_func_pool_cap(any), size);
    CHECK_INT(ant_func_pool_tune(any, size / 10), err);
    check_tune(err, ant_func_pool_cap(any), size, prealloc);
    CHECK_INT(ant_func_pool_release(any), 0);
    CHECK_INT(invoke(pool, 10), ANT_ECLOSED);
    CHECK_INT(nap_pool_destroy(pool), 0);
    CHECK_INT(atomic_exchange(&ran, 0), tasks);
}

static void with_func(int size, const ant_pool_options *options)
{
    nap_pool pool = {0};

    CHECK_INT(ant_func_pool_new(&pool.pool, size, nap_by_copy, sizeof(int), options), 0);
    use_and_destroy(&pool, size, options->prealloc, invoke_copy);
}

static void typed(int size, const ant_pool_options *options)
{
    nap_pool pool;

    CHECK_INT(nap_pool_new(&pool, size, nap, options), 0);
    use_and_destroy(&pool, size, options->prealloc, nap_pool_invoke);
}

static void count_text(const char *text, void *arg)
{
    atomic_fetch_add((atomic_int *)arg, 1);
}

static int run(void *arg)
{
    const ant_pool_options normal = {.logger = count_text, .logger_arg = &logged};
    const ant_pool_options preallocated = {.prealloc = true};
    int size = 10 * test_scale(100);

    bad_expiry(-1);
    bad_expiry(1);
    bad_expiry_unused();
    several_options();
    plain(size, &normal);
    plain(size, &preallocated);
    with_func(size, &normal);
    with_func(size, &preallocated);
    typed(size, &normal);
    typed(size, &preallocated);
    CHECK_INT(atomic_load(&logged), 0);
    return 0;
}

TEST(ants_38_rest)
{
    return run_both(run);
}
