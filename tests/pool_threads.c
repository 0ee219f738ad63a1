/* pool_threads - plain threads use pools with all calls that there are, also those that wait: at
 * once with each other, and while the main thread is one of them (the runtime was started by
 * ant_start). */
#include <pthread.h>
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"

enum { THREADS = 4 };

static ant_pool *pool;
static ant_func_pool *func;
static ant_multi_pool *multi;
static atomic_long ran, accepted;

static void count(void *arg)
{
    atomic_fetch_add(&ran, 1);
    ant_yield();
}

static void check(int err)
{
    if (!err)
        atomic_fetch_add(&accepted, 1);
    else
        CHECK_INT(err, ANT_EOVERLOAD);
}

static void submit_all_forms(ant_ctx *ctx)
{
    char bytes[200] = {0};

    check(ant_pool_submit(pool, count, NULL));
    check(ant_pool_submit_copy(pool, count, bytes, sizeof bytes));
    check(ant_pool_submit_ctx(pool, count, NULL, ctx));
    check(ant_pool_submit_copy_ctx(pool, count, bytes, sizeof bytes, ctx));
    check(ant_pool_try_submit(pool, count, NULL));
    check(ant_pool_try_submit_copy(pool, count, bytes, sizeof bytes));
    check(ant_func_pool_invoke(func, bytes));
    check(ant_func_pool_try_invoke(func, bytes));
    check(ant_func_pool_invoke_ctx(func, bytes, ctx));
    check(ant_multi_pool_submit(multi, count, NULL));
    check(ant_multi_pool_try_submit(multi, count, NULL));
    check(ant_submit(count, NULL));
}

static void *use(void *arg)
{
    ant_ctx *ctx;

    CHECK_INT(ant_ctx_with_timeout(&ctx, NULL, ANT_HOUR), 0);
    for (int i = 0; i < test_scale(100); i++) {
        submit_all_forms(ctx);
        CHECK(ant_pool_running(pool) <= 2 && ant_pool_waiting(pool) <= THREADS);
        CHECK_INT(ant_pool_tune(pool, 1 + i % 2), 0);
        if (i % 10 == 0)
            CHECK_INT(ant_pool_wait_ctx(pool, ctx), 0);
    }
    ant_ctx_unref(ctx);
    return NULL;
}

static void close_all(void)
{
    CHECK_INT(ant_pool_release_timeout(pool, ANT_HOUR), 0);
    CHECK_INT(ant_pool_reboot(pool), 0);
    CHECK_INT(ant_pool_release_ctx(pool, NULL), 0);
    CHECK_INT(ant_pool_destroy(pool), 0);
    CHECK_INT(ant_func_pool_release(func), 0);
    CHECK_INT(ant_func_pool_wait(func), 0);
    CHECK_INT(ant_func_pool_destroy(func), 0);
    CHECK_INT(ant_multi_pool_destroy(multi), 0);
    CHECK_INT(ant_pool_wait(ant_default_pool()), 0);
    CHECK_INT(atomic_load(&ran), atomic_load(&accepted));
}

int main(void)
{
    pthread_t threads[THREADS];

    CHECK_INT(ant_start(NULL), 0);
    CHECK_INT(ant_pool_new(&pool, 2, NULL), 0);
    CHECK_INT(ant_func_pool_new(&func, 1, count, 200, &(ant_pool_options){.prealloc = true}), 0);
    CHECK_INT(ant_multi_pool_new(&multi, 2, 1, ANT_LEAST_TASKS, NULL), 0);
    for (int i = 0; i < THREADS; i++)
        CHECK_INT(pthread_create(&threads[i], NULL, use, NULL), 0);
    for (int i = 0; i < THREADS; i++)
        CHECK_INT(pthread_join(threads[i], NULL), 0);
    close_all();
    CHECK_INT(ant_stop(), 0);
    return 0;
}
