/* pool_threads - plain threads use pools of all six kinds with all calls that there are, also those
 * that wait: at once with each other, and while the main thread is one of them (the runtime was
 * started by ant_start). One of the threads closes the pools now and then and opens them again. */
#include <pthread.h>
#include <stdatomic.h>

#include "pool_kinds.h"

enum { THREADS = 4, SIZE = 2 };

static void *pools[KINDS];
static atomic_long ran, accepted;

static void task(int i)
{
    atomic_fetch_add(&ran, 1);
    ant_yield();
}

static void count(void *arg)
{
    task(0);
}

static void check(int err)
{
    if (!err)
        atomic_fetch_add(&accepted, 1);
    else if (err != ANT_EOVERLOAD)
        CHECK_INT(err, ANT_ECLOSED);
}

static void submit_all_forms(int k, ant_ctx *ctx)
{
    for (int i = 0; i < 2 * FORMS; i++)
        check(pool_kinds[k].submit(pools[k], i, (enum form)(i / 2), ctx));
}

static void submit_large_ones(ant_ctx *ctx)
{
    char bytes[200] = {0};

    check(ant_pool_submit_copy(pools[0], count, bytes, sizeof bytes));
    check(ant_pool_try_submit_copy(pools[0], count, bytes, sizeof bytes));
    check(ant_pool_submit_copy_ctx(pools[0], count, bytes, sizeof bytes, ctx));
    check(ant_submit(count, NULL));
    check(ant_submit_copy(count, bytes, sizeof bytes));
}

static void check_index(const struct pool_kind *kind, void *pool, int index)
{
    int n, err = index < POOLS ? 0 : ANT_EPOOLINDEX, least = err ? -1 : 0;

    CHECK_INT(kind->running_by_index(pool, index, &n), err);
    CHECK(n >= least && n <= SIZE);
    CHECK_INT(kind->free_by_index(pool, index, &n), err);
    CHECK(n >= -SIZE && n <= SIZE);
    CHECK_INT(kind->waiting_by_index(pool, index, &n), err);
    CHECK(n >= least && n <= THREADS);
}

static void look(const struct pool_kind *kind, void *pool)
{
    ant_pool_stats stats;
    int cap = kind->cap(pool); /* others change it */

    CHECK(kind->running(pool) <= kind->pools * SIZE);
    CHECK(kind->free(pool) >= -kind->pools * SIZE);
    CHECK(kind->waiting(pool) <= THREADS);
    CHECK(cap == kind->pools || cap == kind->pools * SIZE);
    CHECK_INT(kind->stats(pool, &stats), 0);
    CHECK(stats.running <= kind->pools * SIZE && stats.waiting <= THREADS);
    for (int i = 0; kind->pools > 1 && i <= POOLS; i++)
        check_index(kind, pool, i);
}

static void close_and_open(const struct pool_kind *kind, void *pool, int i, ant_ctx *ctx)
{
    CHECK_INT(i % 3 == 0   ? kind->release_timeout(pool, ANT_HOUR)
              : i % 3 == 1 ? kind->release_ctx(pool, ctx)
                           : kind->release(pool),
              0);
    CHECK(kind->is_closed(pool));
    if (i % 3 != 2)
        CHECK_INT(kind->running(pool), 0);
    CHECK_INT(kind->reboot(pool), 0);
    CHECK(!kind->is_closed(pool));
}

static void *use(void *arg)
{
    bool closes = *(bool *)arg;
    ant_ctx *ctx;

    CHECK_INT(ant_ctx_with_timeout(&ctx, NULL, ANT_HOUR), 0);
    for (int i = 0; i < test_scale(100); i++) {
        for (int k = 0; k < KINDS; k++) {
            submit_all_forms(k, ctx);
            look(&pool_kinds[k], pools[k]);
            CHECK_INT(pool_kinds[k].tune(pools[k], 1 + i % SIZE), 0);
            if (i % 10 == 0)
                CHECK_INT(pool_kinds[k].wait_ctx(pools[k], ctx), 0);
            if (closes && i % 5 == 0)
                close_and_open(&pool_kinds[k], pools[k], i / 5, ctx);
        }
        submit_large_ones(ctx);
    }
    ant_ctx_unref(ctx);
    return NULL;
}

static void close_all(void)
{
    for (int k = 0; k < KINDS; k++) {
        CHECK_INT(pool_kinds[k].release(pools[k]), 0);
        CHECK_INT(pool_kinds[k].release(pools[k]), ANT_ECLOSED);
        CHECK_INT(pool_kinds[k].wait(pools[k]), 0);
        CHECK_INT(pool_kinds[k].running(pools[k]), 0);
        CHECK_INT(pool_kinds[k].destroy(pools[k]), 0);
    }
    CHECK_INT(ant_pool_wait(ant_default_pool()), 0);
    CHECK_INT(atomic_load(&ran), atomic_load(&accepted));
}

static void play(const ant_pool_options *options)
{
    static bool closes[THREADS] = {true};
    pthread_t threads[THREADS];

    CHECK_INT(ant_start(NULL), 0);
    for (int k = 0; k < KINDS; k++)
        CHECK_INT(pool_kinds[k].make(&pools[k], SIZE, options), 0);
    for (int i = 1; i < THREADS; i++)
        CHECK_INT(pthread_create(&threads[i], NULL, use, &closes[i]), 0);
    use(&closes[0]);
    for (int i = 1; i < THREADS; i++)
        CHECK_INT(pthread_join(threads[i], NULL), 0);
    close_all();
    CHECK_INT(ant_stop(), 0);
}

TEST(pool_threads)
{
    play(NULL);
    play(&(ant_pool_options){.queue = 2, .expiry = ANT_MICROSECOND});
    return 0;
}
