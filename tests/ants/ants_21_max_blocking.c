/* ants_21_max_blocking - rows 21, 24 and 25: with a full pool that makes one caller wait at most,
 * the first one waits, and gets the worker that becomes free; the second one is turned away. */
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"
#include "run_both.h"

enum { WORKERS = 10 };

static ant_waitgroup returned;
static ant_chan *gate;
static atomic_int stop, ran;

static void spin(void *arg)
{
    while (!atomic_load(&stop))
        ant_yield();
}

static void wait_chan(ant_chan *c)
{
    ant_chan_recv(c, NULL);
    atomic_fetch_add(&ran, 1);
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

static void submit_one(void *arg)
{
    CHECK_INT(ant_pool_submit(arg, wait_chan_now, gate), 0);
    ant_waitgroup_done(&returned);
}

static void plain(const ant_pool_options *options)
{
    ant_pool *pool;

    atomic_store(&stop, 0);
    CHECK_INT(ant_chan_new(&gate, 0, 0), 0);
    CHECK_INT(ant_pool_new(&pool, WORKERS, options), 0);
    for (int i = 0; i < WORKERS - 1; i++)
        CHECK_INT(ant_pool_submit(pool, spin, NULL), 0);
    CHECK_INT(ant_pool_submit(pool, wait_chan_now, gate), 0);
    ant_waitgroup_add(&returned, 1);
    CHECK_INT(ant_go(submit_one, pool), 0);
    while (ant_pool_waiting(pool) < 1)
        ant_sleep(ANT_MILLISECOND);
    CHECK_INT(ant_pool_submit(pool, wait_chan_now, gate), ANT_EOVERLOAD);
    CHECK_INT(ant_pool_waiting(pool), 1);
    ant_chan_close(gate);
    ant_waitgroup_wait(&returned);
    CHECK_INT(ant_pool_waiting(pool), 0);
    atomic_store(&stop, 1);
    CHECK_INT(ant_pool_destroy(pool), 0);
    CHECK_INT(atomic_exchange(&ran, 0), 2);
    CHECK_INT(ant_chan_destroy(gate), 0);
}

struct caller {
    const chan_pool *pool;
    int (*invoke)(const chan_pool *, ant_chan *);
};

static void invoke_one(void *arg)
{
    struct caller *c = arg;

    CHECK_INT(c->invoke(c->pool, gate), 0);
    ant_waitgroup_done(&returned);
}

static void use_and_destroy(chan_pool *pool, int (*invoke)(const chan_pool *, ant_chan *))
{
    struct caller caller = {pool, invoke};

    CHECK_INT(ant_chan_new(&gate, 0, 0), 0);
    for (int i = 0; i < WORKERS; i++)
        CHECK_INT(invoke(pool, gate), 0);
    ant_waitgroup_add(&returned, 1);
    CHECK_INT(ant_go(invoke_one, &caller), 0);
    while (ant_func_pool_waiting(chan_pool_any(pool)) < 1)
        ant_sleep(ANT_MILLISECOND);
    CHECK_INT(invoke(pool, gate), ANT_EOVERLOAD);
    ant_chan_close(gate);
    ant_waitgroup_wait(&returned);
    CHECK_INT(chan_pool_destroy(pool), 0);
    CHECK_INT(atomic_exchange(&ran, 0), WORKERS + 1);
    CHECK_INT(ant_chan_destroy(gate), 0);
}

static int run(void *arg)
{
    const ant_pool_options options = {.max_blocking = 1};
    chan_pool pool = {0};

    plain(&options);
    CHECK_INT(
        ant_func_pool_new(&pool.pool, WORKERS, wait_chan_by_copy, sizeof(ant_chan *), &options), 0);
    use_and_destroy(&pool, invoke_copy);
    CHECK_INT(chan_pool_new(&pool, WORKERS, wait_chan, &options), 0);
    use_and_destroy(&pool, chan_pool_invoke);
    return 0;
}

TEST(ants_21_max_blocking)
{
    return run_both(run);
}
