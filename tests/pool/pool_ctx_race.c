/* pool_ctx_race - submitters are canceled, or time out, at the very moment in which workers become
 * free. Each task runs once if its submit returned 0, else not at all; nobody is left waiting while
 * a worker is idle, and nobody's turn gets lost with one that gave up. */
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"

enum { WAITERS = 6 };

static ant_pool *pool;
static ant_ctx *ctx;
static atomic_int ran[WAITERS], returned;
static int result[WAITERS];

static void count(void *arg)
{
    atomic_fetch_add((atomic_int *)arg, 1);
}

/* Its argument is too large for a worker's record. */
struct large {
    atomic_int *counter;
    char bytes[100];
};

static void count_large(void *arg)
{
    count(((struct large *)arg)->counter);
}

/* Every second one waits with the context. */
static void submit_one(void *arg)
{
    int i = (int)(intptr_t)arg;
    struct large large = {.counter = &ran[i]};

    if (i % 4 == 3)
        result[i] = ant_pool_submit_copy_ctx(pool, count_large, &large, sizeof large, ctx);
    else
        result[i] = ant_pool_submit_ctx(pool, count, &ran[i], i % 2 ? ctx : NULL);
    atomic_fetch_add(&returned, 1);
}

static void hold(void *arg)
{
    for (int i = (int)(intptr_t)arg; i > 0; i--)
        ant_yield();
}

static void check_all(int *canceled)
{
    for (int i = 0; i < WAITERS; i++) {
        if (result[i]) {
            CHECK(i % 2);
            CHECK(result[i] == ANT_ECANCELED || result[i] == ANT_ETIMEOUT);
            ++*canceled;
        }
        CHECK_INT(atomic_exchange(&ran[i], 0), result[i] == 0);
    }
}

static void play(int round, int queue, int *canceled)
{
    bool cancels = round % 2;

    CHECK_INT(ant_pool_new(&pool, 1 + round % 2,
                           &(ant_pool_options){.disable_purge = true, .queue = queue}),
              0);
    CHECK_INT(cancels ? ant_ctx_with_cancel(&ctx, NULL)
                      : ant_ctx_with_timeout(&ctx, NULL, round % 50 * ANT_MICROSECOND),
              0);
    atomic_store(&returned, 0);
    CHECK_INT(ant_pool_submit(pool, hold, (void *)(intptr_t)(round % 13)), 0);
    for (int i = 0; i < WAITERS; i++)
        CHECK_INT(ant_go(submit_one, (void *)(intptr_t)i), 0);
    for (int i = 0; i < round % 11; i++)
        ant_yield();
    if (cancels)
        ant_ctx_cancel(ctx);
    while (atomic_load(&returned) < WAITERS)
        ant_yield();
    CHECK_INT(ant_pool_wait(pool), 0);
    CHECK_INT(ant_pool_waiting(pool), 0);
    check_all(canceled);
    CHECK_INT(ant_pool_destroy(pool), 0);
    ant_ctx_unref(ctx);
}

static int run(void *arg)
{
    double end = test_now() + torture_seconds(0.4);
    int canceled = 0;

    for (int round = 0; round < 100 || test_now() < end; round++) {
        play(round, 0, &canceled);
        play(round, 2, &canceled);
    }
    CHECK(canceled > 0);
    return 0;
}

TEST(pool_ctx_race)
{
    return ant_run(run, NULL, NULL);
}
