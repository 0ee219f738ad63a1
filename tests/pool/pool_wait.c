/* pool_wait - waiting until no task is left, by goroutines and threads, many at a time, with a
 * context or without, again after the time ran out, for a task whose submit still waits, and for
 * tasks that tasks submit. A task that waits for its own pool, releases it with a wait or destroys
 * it is told ANT_EDEADLOCK. */
#include <pthread.h>
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"

static ant_pool *pool;
static atomic_bool gate;
static atomic_int ran, returned;

static void wait_at_gate(void *arg)
{
    while (!atomic_load(&gate))
        ant_sleep(ANT_MICROSECOND);
    ant_yield();
    atomic_fetch_add(&ran, 1);
}

static void wait_for_all(void *arg)
{
    CHECK_INT(ant_pool_wait(pool), 0);
    CHECK_INT(atomic_load(&ran), 3);
    atomic_fetch_add(&returned, 1);
}

static void submit_one(void *arg)
{
    CHECK_INT(ant_pool_submit(pool, wait_at_gate, NULL), 0);
}

static void *wait_in_thread(void *arg)
{
    wait_for_all(NULL);
    return NULL;
}

static void begin(const ant_pool_options *options)
{
    atomic_store(&gate, false);
    atomic_store(&ran, 0);
    atomic_store(&returned, 0);
    CHECK_INT(ant_pool_new(&pool, 2, options), 0);
    CHECK_INT(ant_pool_wait(pool), 0);
    for (int i = 0; i < 2; i++)
        CHECK_INT(ant_pool_submit(pool, wait_at_gate, NULL), 0);
}

static void check_times_out(void)
{
    ant_ctx *ctx;

    CHECK_INT(ant_ctx_with_timeout(&ctx, NULL, 50 * ANT_MICROSECOND), 0);
    CHECK_INT(ant_pool_wait_ctx(pool, ctx), ANT_ETIMEOUT);
    CHECK_INT(ant_pool_wait_ctx(pool, ctx), ANT_ETIMEOUT);
    ant_ctx_unref(ctx);
    CHECK_INT(ant_ctx_with_cancel(&ctx, NULL), 0);
    ant_ctx_cancel(ctx);
    CHECK_INT(ant_pool_wait_ctx(pool, ctx), ANT_ECANCELED);
    ant_ctx_unref(ctx);
}

static void many_wait(const ant_pool_options *options)
{
    pthread_t thread;

    begin(options);
    check_times_out();
    CHECK_INT(ant_go(submit_one, NULL), 0);
    while (ant_pool_waiting(pool) == 0)
        ant_yield();
    CHECK_INT(ant_go(wait_for_all, NULL), 0);
    CHECK_INT(ant_go(wait_for_all, NULL), 0);
    CHECK_INT(pthread_create(&thread, NULL, wait_in_thread, NULL), 0);
    ant_yield();
    CHECK_INT(atomic_load(&returned), 0);
    atomic_store(&gate, true);
    wait_for_all(NULL);
    while (atomic_load(&returned) < 4)
        ant_yield();
    CHECK_INT(pthread_join(thread, NULL), 0);
    CHECK_INT(ant_pool_destroy(pool), 0);
}

static void chain(void *arg)
{
    int left = (int)(intptr_t)arg;

    atomic_fetch_add(&ran, 1);
    if (left > 0)
        CHECK_INT(ant_pool_submit(pool, chain, (void *)(intptr_t)(left - 1)), 0);
}

static void wait_for_chain(void)
{
    atomic_store(&ran, 0);
    CHECK_INT(ant_pool_new(&pool, 2, NULL), 0);
    CHECK_INT(ant_pool_submit(pool, chain, (void *)(intptr_t)99), 0);
    CHECK_INT(ant_pool_wait(pool), 0);
    CHECK_INT(atomic_load(&ran), 100);
    CHECK_INT(ant_pool_destroy(pool), 0);
}

static void wait_for_oneself(void *arg)
{
    CHECK_INT(ant_pool_wait(pool), ANT_EDEADLOCK);
    CHECK_INT(ant_pool_destroy(pool), ANT_EDEADLOCK);
    CHECK(!ant_pool_is_closed(pool));
    CHECK_INT(ant_pool_release_timeout(pool, ANT_HOUR), ANT_EDEADLOCK);
    CHECK(ant_pool_is_closed(pool));
    CHECK_INT(ant_pool_reboot(pool), 0);
    CHECK_INT(ant_pool_release_ctx(pool, NULL), ANT_EDEADLOCK);
    atomic_fetch_add(&ran, 1);
}

static void deadlock(void)
{
    atomic_store(&ran, 0);
    CHECK_INT(ant_pool_new(&pool, 1, NULL), 0);
    CHECK_INT(ant_pool_submit(pool, wait_for_oneself, NULL), 0);
    CHECK_INT(ant_pool_wait(pool), 0);
    CHECK_INT(atomic_load(&ran), 1);
    CHECK_INT(ant_pool_destroy(pool), 0);
}

static void release_forms(void)
{
    ant_ctx *ctx;

    begin(NULL);
    CHECK_INT(ant_ctx_with_timeout(&ctx, NULL, 50 * ANT_MICROSECOND), 0);
    CHECK_INT(ant_pool_release_ctx(pool, ctx), ANT_ETIMEOUT);
    CHECK_INT(ant_pool_release_ctx(pool, ctx), ANT_ECLOSED);
    ant_ctx_unref(ctx);
    atomic_store(&gate, true);
    CHECK_INT(ant_pool_wait(pool), 0);
    CHECK_INT(atomic_load(&ran), 2);
    CHECK_INT(ant_pool_reboot(pool), 0);
    CHECK_INT(ant_pool_submit(pool, wait_at_gate, NULL), 0);
    CHECK_INT(ant_pool_release_ctx(pool, NULL), 0);
    CHECK_INT(atomic_load(&ran), 3);
    CHECK_INT(ant_pool_destroy(pool), 0);
}

static int run(void *arg)
{
    for (int i = 0; i < test_scale(60); i++) {
        many_wait(NULL);
        many_wait(&(ant_pool_options){.prealloc = true});
        wait_for_chain();
        deadlock();
        release_forms();
    }
    return 0;
}

TEST(pool_wait)
{
    return ant_run(run, NULL, NULL);
}
