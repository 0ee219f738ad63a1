/* pool_wait_gave_up - when ant_pool_wait has returned 0, nobody waits in submit, not even one that has
 * just given up and is on its way out.
 *
 * Catches: a submitter that is taken out of the line by its context, but still counted when those
 * that wait for the pool are told that nothing is left. */
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"

enum { SUBMITTERS = 4 };

static ant_pool *pool;
static ant_waitgroup wg;
static atomic_bool gate;

static void work_shortly(void *arg)
{
    while (!atomic_load(&gate))
        ant_yield();
}

static void submit(void *arg)
{
    ant_ctx *ctx = arg;
    int err = ant_pool_submit_ctx(pool, work_shortly, NULL, ctx);

    CHECK(err == 0 || err == ANT_ECANCELED);
    ant_ctx_unref(ctx);
    ant_waitgroup_done(&wg);
}

static void cancel(void *arg)
{
    ant_ctx_cancel(arg);
    ant_waitgroup_done(&wg);
}

static void play(int round)
{
    ant_ctx *ctx;

    CHECK_INT(ant_ctx_with_cancel(&ctx, NULL), 0);
    atomic_store(&gate, false);
    CHECK_INT(ant_pool_submit(pool, work_shortly, NULL), 0);
    ant_waitgroup_add(&wg, SUBMITTERS + 1);
    for (int i = 0; i < SUBMITTERS; i++)
        CHECK_INT(ant_go(submit, ant_ctx_ref(ctx)), 0);
    while (ant_pool_waiting(pool) < SUBMITTERS)
        ant_yield();
    CHECK_INT(ant_go(cancel, ctx), 0);
    for (int i = 0; i < round % 4; i++)
        ant_yield();
    atomic_store(&gate, true);
    CHECK_INT(ant_pool_wait(pool), 0);
    CHECK_INT(ant_pool_waiting(pool), 0);
    ant_waitgroup_wait(&wg);
    ant_ctx_unref(ctx);
}

static int run(void *arg)
{
    CHECK_INT(ant_pool_new(&pool, 1, NULL), 0);
    for (int i = 0; i < test_scale(20000); i++)
        play(i);
    return ant_pool_destroy(pool);
}

TEST(pool_wait_gave_up)
{
    return ant_run(run, NULL, NULL);
}
