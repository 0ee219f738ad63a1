/* ants_20_nonblocking - rows 20, 22 and 23: a full pool that may not make its callers wait turns
 * them away, and takes tasks again when a worker has finished. */
#include <errno.h>
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"
#include "run_both.h"

enum { WORKERS = 10 };

static ant_waitgroup left;
static atomic_int stop;

static void spin(void *arg)
{
    while (!atomic_load(&stop))
        ant_yield();
}

static void nothing(void *arg)
{
}

static void wait_chan(ant_chan *c)
{
    ant_chan_recv(c, NULL);
    ant_waitgroup_done(&left);
}

static void wait_chan_now(void *arg)
{
    wait_chan(arg);
}

static void wait_chan_by_copy(void *arg)
{
    wait_chan(*(ant_chan **)arg);
}

ANT_FUNC_POOL_DEFINE(chan_pool, ant_chan *);

static int invoke_copy(const chan_pool *pool, ant_chan *c)
{
    return ant_func_pool_invoke(chan_pool_any(pool), &c);
}

static void plain(const ant_pool_options *options)
{
    ant_pool *pool;
    ant_chan *gate;
    int err;

    atomic_store(&stop, 0);
    CHECK_INT(ant_chan_new(&gate, 0, 0), 0);
    CHECK_INT(ant_pool_new(&pool, WORKERS, options), 0);
    for (int i = 0; i < WORKERS - 1; i++)
        CHECK_INT(ant_pool_submit(pool, spin, NULL), 0);
    ant_waitgroup_add(&left, 1);
    CHECK_INT(ant_pool_submit(pool, wait_chan_now, gate), 0);
    CHECK_INT(ant_pool_submit(pool, nothing, NULL), ANT_EOVERLOAD);
    CHECK_INT(ant_pool_submit(pool, NULL, NULL), -EINVAL);
    ant_chan_close(gate);
    ant_waitgroup_wait(&left);
    while ((err = ant_pool_submit(pool, nothing, NULL)) == ANT_EOVERLOAD)
        ant_sleep(ANT_MILLISECOND); /* the worker is not yet back */
    CHECK_INT(err, 0);
    atomic_store(&stop, 1);
    CHECK_INT(ant_pool_destroy(pool), 0);
    CHECK_INT(ant_chan_destroy(gate), 0);
}

static void use_and_destroy(chan_pool *pool, int (*invoke)(const chan_pool *, ant_chan *))
{
    ant_chan *gate;
    int err;

    CHECK_INT(ant_chan_new(&gate, 0, 0), 0);
    ant_waitgroup_add(&left, WORKERS);
    for (int i = 0; i < WORKERS; i++)
        CHECK_INT(invoke(pool, gate), 0);
    CHECK_INT(invoke(pool, gate), ANT_EOVERLOAD);
    CHECK_INT(invoke(pool, NULL), ANT_EOVERLOAD); /* an argument like any other */
    CHECK_INT(ant_func_pool_invoke(chan_pool_any(pool), NULL), -EINVAL);
    ant_chan_close(gate);
    ant_waitgroup_wait(&left);
    ant_waitgroup_add(&left, 1);
    while ((err = invoke(pool, gate)) == ANT_EOVERLOAD)
        ant_sleep(ANT_MILLISECOND);
    CHECK_INT(err, 0);
    ant_waitgroup_wait(&left);
    CHECK_INT(chan_pool_destroy(pool), 0);
    CHECK_INT(ant_chan_destroy(gate), 0);
}

static int run(void *arg)
{
    const ant_pool_options options = {.nonblocking = true};
    chan_pool pool = {0};

    plain(&options);
    CHECK_INT(
        ant_func_pool_new(&pool.pool, WORKERS, wait_chan_by_copy, sizeof(ant_chan *), &options), 0);
    use_and_destroy(&pool, invoke_copy);
    CHECK_INT(chan_pool_new(&pool, WORKERS, wait_chan, &options), 0);
    use_and_destroy(&pool, chan_pool_invoke);
    return 0;
}

TEST(ants_20_nonblocking)
{
    return run_both(run);
}
