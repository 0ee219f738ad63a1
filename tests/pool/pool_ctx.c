/* pool_ctx - submits that wait until a context is done, and no longer: canceled or timed out, in
 * goroutines and threads. Whoever waits behind moves up, and the task of one that gave up is not
 * run. A context that is done already is told at once. */
#include <pthread.h>
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"

static ant_pool *pool;
static ant_ctx *ctx;
static atomic_bool gate;
static atomic_int ran, returned;

static void wait_at_gate(void *arg)
{
    while (!atomic_load(&gate))
        ant_sleep(ANT_MICROSECOND);
}

static void count(void *arg)
{
    atomic_fetch_add(&ran, 1);
}

static void never(void *arg)
{
    FAIL("a task runs whose submit failed");
}

static void give_up(void *arg)
{
    int bytes[50] = {0};

    CHECK_INT(ant_pool_submit_ctx(pool, never, NULL, ctx), (intptr_t)arg);
    CHECK_INT(ant_pool_submit_copy_ctx(pool, never, bytes, sizeof bytes, ctx), (intptr_t)arg);
    atomic_fetch_add(&returned, 1);
}

static void *give_up_in_thread(void *arg)
{
    give_up(arg);
    return NULL;
}

static void submit_one(void *arg)
{
    CHECK_INT(ant_pool_submit_ctx(pool, count, NULL, NULL), 0);
    atomic_fetch_add(&returned, 1);
}

static void stand_in_line(pthread_t *thread, int err)
{
    void *arg = (void *)(intptr_t)err;

    CHECK_INT(ant_go(give_up, arg), 0);
    CHECK_INT(ant_go(submit_one, NULL), 0);
    CHECK_INT(ant_go(give_up, arg), 0);
    CHECK_INT(pthread_create(thread, NULL, give_up_in_thread, arg), 0);
}

static void play(bool cancels, ant_pool_options options)
{
    pthread_t thread;

    atomic_store(&gate, false);
    atomic_store(&ran, 0);
    atomic_store(&returned, 0);
    CHECK_INT(ant_pool_new(&pool, 1, &options), 0);
    CHECK_INT(ant_pool_submit(pool, wait_at_gate, NULL), 0);
    CHECK_INT(cancels ? ant_ctx_with_cancel(&ctx, NULL)
                      : ant_ctx_with_timeout(&ctx, NULL, ANT_MILLISECOND),
              0);
    stand_in_line(&thread, cancels ? ANT_ECANCELED : ANT_ETIMEOUT);
    while (cancels && ant_pool_waiting(pool) < 4)
        ant_yield();
    if (cancels)
        ant_ctx_cancel(ctx);
    while (atomic_load(&returned) < 3)
        ant_yield();
    while (ant_pool_waiting(pool) != 1)
        ant_yield();
    atomic_store(&gate, true);
    while (atomic_load(&returned) < 4)
        ant_yield();
    CHECK_INT(pthread_join(thread, NULL), 0);
    CHECK_INT(ant_pool_submit_ctx(pool, never, NULL, ctx), cancels ? ANT_ECANCELED : ANT_ETIMEOUT);
    ant_ctx_unref(ctx);
    CHECK_INT(ant_pool_destroy(pool), 0);
    CHECK_INT(atomic_load(&ran), 1);
}

static int run(void *arg)
{
    for (int i = 0; i < test_scale(50); i++) {
        play(true, (ant_pool_options){0});
        play(false, (ant_pool_options){.prealloc = true});
    }
    return 0;
}

TEST(pool_ctx)
{
    return ant_run(run, NULL, NULL);
}
