/* pool_multi_fail - a pool whose making fails half way, whichever piece of memory it is that cannot
 * be had, leaves nothing behind, tells -ENOMEM, and can be made when there is memory again. So do
 * submit and reboot: no task is lost for an error that was not told. */
#include <errno.h>
#include <malloc.h>
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"
#include "fail_from.h"

static atomic_int ran;

static void count(void *arg)
{
    atomic_fetch_add(&ran, 1);
}

static ant_pool_options options(int i)
{
    return (ant_pool_options){.prealloc = i & 1, .min_workers = i & 2 ? 3 : 0};
}

static int make(int kind, const ant_pool_options *o, void **ret_pool)
{
    switch (kind) {
    case 0:
        return ant_pool_new((ant_pool **)ret_pool, 20, o);
    case 1:
        return ant_func_pool_new((ant_func_pool **)ret_pool, 20, count, 100, o);
    case 2:
        return ant_multi_pool_new((ant_multi_pool **)ret_pool, 5, 4, ANT_ROUND_ROBIN, o);
    default:
        return ant_multi_func_pool_new((ant_multi_func_pool **)ret_pool, 5, 4, count, 100,
                                       ANT_LEAST_TASKS, o);
    }
}

static int destroy(int kind, void *pool)
{
    return kind == 0   ? ant_pool_destroy(pool)
           : kind == 1 ? ant_func_pool_destroy(pool)
           : kind == 2 ? ant_multi_pool_destroy(pool)
                       : ant_multi_func_pool_destroy(pool);
}

/* Until it succeeds; returns how often it did not. */
static int fail_each(int kind, const ant_pool_options *o)
{
    for (int n = 1;; n++) {
        void *pool = NULL;
        int err;

        fail_from(n);
        err = make(kind, o, &pool);
        fail_no_more();
        if (!err) {
            CHECK_INT(destroy(kind, pool), 0);
            return n - 1;
        }
        CHECK_INT(err, -ENOMEM);
        CHECK(!pool);
    }
}

/* malloc and the runtime keep some for later; a leak adds up. */
static void check_no_leak(int kind, const ant_pool_options *o)
{
    size_t before = 0;

    for (int i = 0; i < 320; i++) {
        CHECK(fail_each(kind, o) >= (kind < 2 ? 2 : 7));
        if (i == 20)
            before = mallinfo2().uordblks;
    }
    if (!TEST_SANITIZED)
        CHECK(mallinfo2().uordblks < before + 16384);
}

static void check_making(void)
{
    for (int i = 0; i < 4; i++) {
        ant_pool_options o = options(i);

        for (int kind = 0; kind < 4; kind++)
            check_no_leak(kind, &o);
    }
}

/* Refuses the n-th piece of memory during a submit, for all n. */
static void check_submits(const ant_pool_options *o)
{
    static const char large[1000];
    int accepted = 0, failed = 0;
    ant_pool *pool;

    atomic_store(&ran, 0);
    for (int n = 1; n < 12; n++) {
        CHECK_INT(ant_pool_new(&pool, 4, o), 0);
        for (int i = 0; i < 4; i++) {
            int err;

            fail_from(n);
            err = i % 2 ? ant_pool_submit_copy(pool, count, large, sizeof large)
                        : ant_pool_submit(pool, count, NULL);
            fail_no_more();
            if (err)
                CHECK_INT(err, -ENOMEM);
            *(err ? &failed : &accepted) += 1;
        }
        CHECK_INT(ant_pool_wait(pool), 0);
        CHECK_INT(atomic_load(&ran), accepted);
        CHECK_INT(ant_pool_submit(pool, count, NULL), 0);
        accepted++;
        CHECK_INT(ant_pool_destroy(pool), 0);
        CHECK_INT(atomic_load(&ran), accepted);
    }
    CHECK(failed > 0);
}

/* The pool is open then, and works. */
static void check_reboot(void)
{
    ant_pool *pool;
    int err;

    CHECK_INT(ant_pool_new(&pool, 40, &(ant_pool_options){.min_workers = 1}), 0);
    CHECK_INT(ant_pool_release(pool), 0);
    fail_from(1);
    err = ant_pool_reboot(pool);
    fail_no_more();
    CHECK(err == 0 || err == -ENOMEM);
    CHECK(!ant_pool_is_closed(pool));
    CHECK_INT(ant_pool_submit(pool, count, NULL), 0);
    CHECK_INT(ant_pool_destroy(pool), 0);
}

static int run(void *arg)
{
    check_making();
    for (int i = 0; i < 4; i++) {
        ant_pool_options o = options(i);

        check_submits(&o);
    }
    check_reboot();
    return 0;
}

TEST(pool_multi_fail)
{
    return ant_run(run, NULL, NULL);
}
