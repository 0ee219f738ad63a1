/* pool_ctx_kinds - every call that takes a context gives up with it, in pools of all six kinds:
 * submits that wait for a worker, waiting for the tasks, and releases; canceled or timed out, in
 * goroutines and threads. Nothing that was given up is run, what goes on can be waited for again, and
 * a context that does not fire changes nothing. */
#include <pthread.h>
#include <stdatomic.h>

#include "pool_kinds.h"

enum { SIZE = 2, STAY, PASS, NEVER = 10, NEVER_BY_COPY = 11 };

static const struct pool_kind *kind;
static void *pool;
static ant_waitgroup gate;
static atomic_int passed, returned;

static void task(int i)
{
    if (i >= NEVER)
        FAIL("a task runs whose submit failed");
    if (i == STAY)
        ant_waitgroup_wait(&gate);
    else
        atomic_fetch_add(&passed, 1);
}

/* ---- a context that fires when the play says so, or soon of itself ---- */

static ant_ctx *ctx;
static int why;

static void new_ctx(bool cancels)
{
    why = cancels ? ANT_ECANCELED : ANT_ETIMEOUT;
    CHECK_INT(cancels ? ant_ctx_with_cancel(&ctx, NULL)
                      : ant_ctx_with_timeout(&ctx, NULL, ANT_MILLISECOND),
              0);
}

static void cancel_soon(void *arg)
{
    for (int i = 0; i < 5; i++)
        ant_yield();
    ant_ctx_cancel(ctx);
    atomic_fetch_add(&returned, 1);
}

/* What call does must end with the context. */
static void check_call(bool cancels, int (*call)(void *, ant_ctx *))
{
    new_ctx(cancels);
    atomic_store(&returned, !cancels);
    if (cancels)
        CHECK_INT(ant_go(cancel_soon, NULL), 0);
    CHECK_INT(call(pool, ctx), why);
    CHECK_INT(call(pool, ctx), call == kind->release_ctx ? ANT_ECLOSED : why); /* at once */
    while (atomic_load(&returned) == 0)
        ant_yield();
    ant_ctx_unref(ctx);
}

/* ---- submits ---- */

static void give_up(void *arg)
{
    CHECK_INT(kind->submit(pool, NEVER, WITH_CTX, ctx), why);
    CHECK_INT(kind->submit(pool, NEVER_BY_COPY, WITH_CTX, ctx), why);
    atomic_fetch_add(&returned, 1);
}

static void *give_up_in_thread(void *arg)
{
    give_up(NULL);
    return NULL;
}

static void submit_one(void *arg)
{
    CHECK_INT(kind->submit(pool, PASS, WITH_CTX, NULL), 0);
    atomic_fetch_add(&returned, 1);
}

static void fill(void)
{
    ant_waitgroup_add(&gate, 1);
    for (int i = 0; i < kind->pools * SIZE; i++)
        CHECK_INT(kind->submit(pool, STAY, PLAIN, NULL), 0);
}

/* Two give up, and one who came between them stays. */
static void check_submits(bool cancels)
{
    pthread_t thread;

    atomic_store(&returned, 0);
    atomic_store(&passed, 0);
    fill();
    new_ctx(cancels);
    CHECK_INT(ant_go(give_up, NULL), 0);
    CHECK_INT(ant_go(submit_one, NULL), 0);
    CHECK_INT(pthread_create(&thread, NULL, give_up_in_thread, NULL), 0);
    while (cancels && kind->waiting(pool) < 3)
        ant_yield();
    if (cancels)
        ant_ctx_cancel(ctx);
    while (atomic_load(&returned) < 2 || kind->waiting(pool) != 1)
        ant_yield();
    CHECK_INT(pthread_join(thread, NULL), 0);
    CHECK_INT(kind->submit(pool, NEVER, WITH_CTX, ctx), why);
    ant_ctx_unref(ctx);
    ant_waitgroup_done(&gate);
    while (atomic_load(&returned) < 3)
        ant_yield();
    CHECK_INT(kind->wait_ctx(pool, NULL), 0);
    CHECK_INT(atomic_load(&passed), 1);
}

/* ---- waiting, and releasing ---- */

static void check_left(void)
{
    CHECK(kind->is_closed(pool));
    CHECK_INT(kind->running(pool), kind->pools * SIZE);
    CHECK_INT(kind->submit(pool, NEVER, WITH_CTX, NULL), ANT_ECLOSED);
}

static void check_waits(bool cancels)
{
    ant_ctx *patient;

    CHECK_INT(ant_ctx_with_timeout(&patient, NULL, ANT_HOUR), 0);
    fill();
    check_call(cancels, kind->wait_ctx);
    check_call(cancels, kind->release_ctx);
    check_left();
    CHECK_INT(kind->reboot(pool), 0);
    CHECK_INT(kind->release_timeout(pool, ANT_MILLISECOND), ANT_ETIMEOUT);
    check_left();
    CHECK_INT(kind->reboot(pool), 0);
    CHECK_INT(kind->release_timeout(pool, 0), ANT_ETIMEOUT);
    check_left();
    check_call(cancels, kind->wait_ctx); /* of a closed pool */
    ant_waitgroup_done(&gate);
    CHECK_INT(kind->wait_ctx(pool, patient), 0);
    CHECK_INT(kind->running(pool), 0);
    CHECK_INT(kind->release_ctx(pool, patient), ANT_ECLOSED);
    CHECK_INT(kind->reboot(pool), 0);
    CHECK_INT(kind->submit(pool, PASS, WITH_CTX, patient), 0);
    CHECK_INT(kind->release_ctx(pool, patient), 0);
    CHECK_INT(kind->running(pool), 0);
    ant_ctx_unref(patient);
}

static void play(bool cancels, const ant_pool_options *options)
{
    CHECK_INT(kind->make(&pool, SIZE, options), 0);
    check_submits(cancels);
    check_waits(cancels);
    CHECK_INT(kind->destroy(pool), 0);
}

static int run(void *arg)
{
    for (int i = 0; i < test_scale(8); i++) {
        for (int k = 0; k < KINDS; k++) {
            kind = &pool_kinds[k];
            play(true, &(ant_pool_options){.prealloc = i % 2});
            play(false, &(ant_pool_options){.prealloc = i % 2});
        }
    }
    return 0;
}

TEST(pool_ctx_kinds)
{
    CHECK_INT(ant_run(run, NULL, NULL), 0);
    CHECK_INT(ant_start(NULL), 0);
    CHECK_INT(run(NULL), 0);
    CHECK_INT(ant_stop(), 0);
    return 0;
}
