/* pool_given_up - a submitter whose context was canceled, but which did not run since, counts no more among
 * those that block: neither for max_blocking nor for the question whether all workers wait.
 *
 * Catches: errors on account of somebody who is about to leave. */
#include <anthill.h>

#include "check.h"

static ant_pool *pool;
static ant_ctx *ctx;
static ant_waitgroup gate, wg;

static void nothing(void *arg)
{
}

static void wait_for_gate(void *arg)
{
    ant_waitgroup_wait(&gate);
}

static void give_up(void *arg)
{
    CHECK_INT(ant_pool_submit_ctx(pool, nothing, NULL, ctx), ANT_ECANCELED);
    ant_waitgroup_done(&wg);
}

static void cancel_and_submit(void *arg)
{
    while (ant_pool_waiting(pool) != 1)
        ant_yield();
    ant_ctx_cancel(ctx);
    CHECK_INT(ant_pool_submit(pool, nothing, NULL), 0);
    ant_waitgroup_done(&wg);
}

/* Both workers submit: the one gives up, and then serves the other. */
static void check_workers(void)
{
    CHECK_INT(ant_ctx_with_cancel(&ctx, NULL), 0);
    CHECK_INT(ant_pool_new(&pool, 2, NULL), 0);
    ant_waitgroup_add(&wg, 2);
    CHECK_INT(ant_pool_submit(pool, give_up, NULL), 0);
    CHECK_INT(ant_pool_submit(pool, cancel_and_submit, NULL), 0);
    ant_waitgroup_wait(&wg);
    CHECK_INT(ant_pool_destroy(pool), 0);
    ant_ctx_unref(ctx);
}

static void check_max_blocking(void)
{
    const ant_pool_options options = {.max_blocking = 1};
    ant_ctx *soon;

    CHECK_INT(ant_ctx_with_cancel(&ctx, NULL), 0);
    CHECK_INT(ant_pool_new(&pool, 1, &options), 0);
    ant_waitgroup_add(&gate, 1);
    ant_waitgroup_add(&wg, 1);
    CHECK_INT(ant_pool_submit(pool, wait_for_gate, NULL), 0);
    CHECK_INT(ant_go(give_up, NULL), 0);
    while (ant_pool_waiting(pool) != 1)
        ant_yield();
    ant_ctx_cancel(ctx);
    CHECK_INT(ant_ctx_with_timeout(&soon, NULL, ANT_MILLISECOND), 0);
    CHECK_INT(ant_pool_submit_ctx(pool, nothing, NULL, soon), ANT_ETIMEOUT);
    ant_waitgroup_done(&gate);
    ant_waitgroup_wait(&wg);
    CHECK_INT(ant_pool_destroy(pool), 0);
    ant_ctx_unref(soon);
    ant_ctx_unref(ctx);
}

static int run(void *arg)
{
    check_workers();
    check_max_blocking();
    return 0;
}

TEST(pool_given_up)
{
    const ant_config config = {.procs = 1};

    CHECK_INT(ant_run(run, NULL, &config), 0);
    return 0;
}
