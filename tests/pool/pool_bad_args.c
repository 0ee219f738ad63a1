/* pool_bad_args - what is wrong with an argument is told by an error of its own, the same for pools
 * of all kinds, in the order that the headers promise; and no number, however large or small, does
 * harm. */
#include <errno.h>
#include <limits.h>

#include <anthill.h>

#include "check.h"

static void nothing(void *arg)
{
}

static void nothing_int(int arg)
{
}

ANT_FUNC_POOL_DEFINE(int_pool, int);
ANT_MULTI_FUNC_POOL_DEFINE(int_multi_pool, int);

/* The options fail with err in pools of all kinds. */
static void fails(int err, int size, const ant_pool_options *o)
{
    ant_pool *a;
    ant_func_pool *b;
    ant_multi_pool *c;
    ant_multi_func_pool *d;
    int_pool e;
    int_multi_pool f;

    CHECK_INT(ant_pool_new(&a, size, o), err);
    CHECK_INT(ant_func_pool_new(&b, size, nothing, 4, o), err);
    CHECK_INT(ant_multi_pool_new(&c, 3, size, ANT_ROUND_ROBIN, o), err);
    CHECK_INT(ant_multi_func_pool_new(&d, 3, size, nothing, 4, ANT_LEAST_TASKS, o), err);
    CHECK_INT(int_pool_new(&e, size, nothing_int, o), err);
    CHECK_INT(int_multi_pool_new(&f, 3, size, nothing_int, ANT_LEAST_TASKS, o), err);
}

static void check_options(void)
{
    fails(ANT_EPOOLEXPIRY, 5, &(ant_pool_options){.expiry = -1});
    fails(ANT_EPOOLEXPIRY, -1, &(ant_pool_options){.expiry = INT64_MIN, .prealloc = true});
    fails(ANT_EPOOLPREALLOC, 0, &(ant_pool_options){.prealloc = true});
    fails(ANT_EPOOLPREALLOC, INT_MIN, &(ant_pool_options){.prealloc = true, .min_workers = -1});
    fails(-EINVAL, 5, &(ant_pool_options){.min_workers = -1});
    fails(-EINVAL, 5, &(ant_pool_options){.min_workers = 6});
    fails(-EINVAL, 5, &(ant_pool_options){.queue = -1});
    fails(-EINVAL, 5, &(ant_pool_options){.stack_size = 100});
    fails(-EINVAL, 5, &(ant_pool_options){.stack_size = SIZE_MAX});
}

/* Any pool may be negative in what it is told about waiting only if that is an error too. */
static void check_max_blocking(void)
{
    fails(-EINVAL, 5, &(ant_pool_options){.max_blocking = -1});
    fails(-EINVAL, 5, &(ant_pool_options){.max_blocking = INT_MIN});
}

static void check_functions(void)
{
    ant_func_pool *b;
    ant_multi_func_pool *d;
    int_pool e;
    ant_pool_options bad = {.expiry = -1};

    CHECK_INT(ant_func_pool_new(&b, 5, NULL, 4, &bad), ANT_EPOOLFUNC);
    CHECK_INT(int_pool_new(&e, 5, NULL, &bad), ANT_EPOOLFUNC);
    CHECK_INT(ant_func_pool_new(&b, 5, nothing, ANT_POOL_ARG_MAX + 1, NULL), -EINVAL);
    CHECK_INT(ant_func_pool_new(NULL, 5, nothing, 4, NULL), -EINVAL);
    CHECK_INT(ant_multi_func_pool_new(&d, 0, 5, NULL, 4, 9, &bad), ANT_EMULTISIZE);
    CHECK_INT(ant_multi_func_pool_new(&d, INT_MIN, 5, nothing, 4, 9, &bad), ANT_EMULTISIZE);
    CHECK_INT(ant_multi_func_pool_new(&d, 2, 5, NULL, 4, 9, &bad), ANT_ESTRATEGY);
    CHECK_INT(ant_multi_func_pool_new(&d, 2, 5, NULL, 4, ANT_ROUND_ROBIN, &bad), ANT_EPOOLFUNC);
}

static void check_null(void)
{
    ant_pool_stats stats;
    int n;

    CHECK_INT(ant_pool_new(NULL, 5, NULL), -EINVAL);
    CHECK_INT(ant_multi_pool_new(NULL, 2, 5, ANT_ROUND_ROBIN, NULL), -EINVAL);
    CHECK_INT(ant_multi_func_pool_new(NULL, 2, 5, nothing, 4, ANT_ROUND_ROBIN, NULL), -EINVAL);
    CHECK_INT(ant_pool_submit(NULL, nothing, NULL), -EINVAL);
    CHECK_INT(ant_func_pool_invoke(NULL, &n), -EINVAL);
    CHECK_INT(ant_pool_running(NULL) + ant_pool_free(NULL) + ant_pool_cap(NULL), 0);
    CHECK_INT(ant_pool_waiting(NULL), 0);
    CHECK(ant_pool_is_closed(NULL));
    CHECK_INT(ant_pool_stats_get(NULL, &stats), -EINVAL);
    CHECK_INT(ant_pool_tune(NULL, 1), -EINVAL);
    CHECK_INT(ant_pool_wait(NULL), -EINVAL);
    CHECK_INT(ant_pool_release(NULL), -EINVAL);
    CHECK_INT(ant_pool_release_timeout(NULL, 1), -EINVAL);
    CHECK_INT(ant_pool_release_ctx(NULL, NULL), -EINVAL);
    CHECK_INT(ant_pool_reboot(NULL), -EINVAL);
    CHECK_INT(ant_pool_destroy(NULL), 0);
    CHECK_INT(ant_multi_pool_destroy(NULL), 0);
    CHECK_INT(ant_multi_pool_running_by_index(NULL, 0, &n), -EINVAL);
}

static void check_tasks(void)
{
    ant_pool *pool;
    ant_func_pool *func;
    ant_multi_pool *multi;
    int n;

    CHECK_INT(ant_pool_new(&pool, 1, NULL), 0);
    CHECK_INT(ant_pool_submit(pool, NULL, NULL), -EINVAL);
    CHECK_INT(ant_pool_try_submit(pool, NULL, NULL), -EINVAL);
    CHECK_INT(ant_pool_submit_ctx(pool, NULL, NULL, NULL), -EINVAL);
    CHECK_INT(ant_pool_submit_copy(pool, nothing, NULL, 4), -EINVAL);
    CHECK_INT(ant_pool_stats_get(pool, NULL), -EINVAL);
    CHECK_INT(ant_pool_running(pool), 0);
    CHECK_INT(ant_pool_destroy(pool), 0);
    CHECK_INT(ant_func_pool_new(&func, 1, nothing, 4, NULL), 0);
    CHECK_INT(ant_func_pool_invoke(func, NULL), -EINVAL);
    CHECK_INT(ant_func_pool_destroy(func), 0);
    CHECK_INT(ant_multi_pool_new(&multi, 2, 1, ANT_ROUND_ROBIN, NULL), 0);
    CHECK_INT(ant_multi_pool_submit(multi, NULL, NULL), -EINVAL);
    CHECK_INT(ant_multi_pool_running_by_index(multi, 2, &n), ANT_EPOOLINDEX);
    CHECK_INT(ant_multi_pool_waiting_by_index(multi, -1, &n), ANT_EPOOLINDEX);
    CHECK_INT(ant_multi_pool_free_by_index(multi, INT_MAX, &n), ANT_EPOOLINDEX);
    CHECK_INT(ant_multi_pool_free_by_index(multi, 0, NULL), -EINVAL);
    CHECK_INT(ant_multi_pool_destroy(multi), 0);
}

static void check_sizes(void)
{
    const int sizes[] = {INT_MIN, -1, 0, 1, INT_MAX};
    ant_pool *pool;

    for (int i = 0; i < 5; i++) {
        CHECK_INT(ant_pool_new(&pool, sizes[i], NULL), 0);
        CHECK_INT(ant_pool_cap(pool), sizes[i] > 0 ? sizes[i] : -1);
        CHECK_INT(ant_pool_free(pool), sizes[i] > 0 ? sizes[i] : -1);
        CHECK_INT(ant_pool_submit(pool, nothing, NULL), 0);
        CHECK_INT(ant_pool_destroy(pool), 0);
    }
}

/* ---- numbers as large as can be ---- */

static void works(int size, const ant_pool_options *o)
{
    ant_multi_pool *multi;
    ant_pool *pool;

    CHECK_INT(ant_pool_new(&pool, size, o), 0);
    CHECK_INT(ant_multi_pool_new(&multi, 3, size, ANT_LEAST_TASKS, o), 0);
    CHECK_INT(ant_multi_pool_cap(multi), size == INT_MAX ? INT_MAX : 3 * size);
    for (int i = 0; i < 20; i++) {
        CHECK_INT(ant_pool_submit(pool, nothing, NULL), 0);
        CHECK_INT(ant_multi_pool_submit(multi, nothing, NULL), 0);
    }
    CHECK_INT(ant_pool_wait(pool), 0);
    CHECK(ant_pool_running(pool) > 0); /* none has expired */
    CHECK_INT(ant_pool_destroy(pool), 0);
    CHECK_INT(ant_multi_pool_destroy(multi), 0);
}

static void check_large(void)
{
    works(INT_MAX, &(ant_pool_options){.expiry = INT64_MAX});
    works(2, &(ant_pool_options){.expiry = INT64_MAX - 1, .prealloc = true});
    works(2, &(ant_pool_options){.queue = INT_MAX, .expiry = INT64_MAX});
    works(2, &(ant_pool_options){.max_blocking = INT_MAX, .expiry = INT64_MAX});
    fails(-EINVAL, INT_MAX - 1, &(ant_pool_options){.min_workers = INT_MAX});
}

/* So much more than there is in use. False: it has no effect, as in qemu. */
static bool limit_memory(size_t more)
{
    FILE *file = fopen("/proc/self/statm", "r");
    size_t pages;
    void *memory;

    CHECK(file && fscanf(file, "%zu", &pages) == 1);
    fclose(file);
    more += pages * (size_t)sysconf(_SC_PAGESIZE);
    CHECK_INT(setrlimit(RLIMIT_AS, &(struct rlimit){more, more}), 0);
    memory = malloc(more);
    free(memory);
    return !memory;
}

/* What cannot be had is not to be tried on a machine that promises all: it would come to its end. */
static int run_limited(void *arg)
{
    const ant_pool_options least = {.min_workers = INT_MAX};
    ant_multi_pool *multi;
    ant_pool *pool;

    if (!limit_memory(32 << 20))
        return 0;
    fails(-ENOMEM, INT_MAX, &(ant_pool_options){.prealloc = true});
    CHECK_INT(ant_pool_new(&pool, 0, &least), -ENOMEM);
    CHECK_INT(ant_multi_pool_new(&multi, 2, INT_MAX, ANT_ROUND_ROBIN, &least), -ENOMEM);
    CHECK_INT(ant_multi_pool_new(&multi, INT_MAX, 1, ANT_ROUND_ROBIN, NULL), -ENOMEM);
    CHECK_INT(ant_multi_pool_new(&multi, INT_MAX, INT_MAX, ANT_LEAST_TASKS,
                                 &(ant_pool_options){.prealloc = true}),
              -ENOMEM);
    return 0;
}

static void child(void)
{
    CHECK_INT(ant_run(run_limited, NULL, NULL), 0);
}

static int run(void *arg)
{
    check_large();
    check_options();
    check_functions();
    check_null();
    check_tasks();
    check_sizes();
    check_max_blocking();
    return 0;
}

TEST(pool_bad_args)
{
    static char output[4096];
    ant_pool *pool;

    CHECK_INT(ant_pool_new(&pool, 5, NULL), ANT_ENOTRUNNING);
    if (!TEST_SANITIZED && !RUNNING_ON_VALGRIND) /* which need more than there is */
        CHECK_INT(test_child(child, output, sizeof output), 0);
    return ant_run(run, NULL, NULL);
}
