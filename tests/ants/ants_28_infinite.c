/* ants_28_infinite - rows 28, 33 and 34: a pool without limit has as many workers as tasks, says
 * so, and can be neither tuned nor preallocated. Tasks may submit to it. */
#include <errno.h>

#include <anthill.h>

#include "check.h"
#include "run_both.h"

/* Nobody is to be retired while we count. */
static const ant_pool_options keep = {.disable_purge = true};
static const ant_pool_options preallocated = {.prealloc = true};

static ant_chan *c;

static void receive(void *arg)
{
    CHECK(ant_chan_recv(c, NULL));
}

static void submit_receive(void *arg)
{
    CHECK_INT(ant_pool_submit(arg, receive, NULL), 0);
}

static void nap_and_receive(int ms)
{
    ant_sleep(ms * ANT_MILLISECOND);
    receive(NULL);
}

static void nap_and_receive_by_copy(void *arg)
{
    nap_and_receive(*(int *)arg);
}

ANT_FUNC_POOL_DEFINE(nap_pool, int);

static int invoke_copy(const nap_pool *pool, int ms)
{
    return ant_func_pool_invoke(nap_pool_any(pool), &ms);
}

static void plain(void)
{
    ant_pool *pool, *none;

    CHECK_INT(ant_pool_new(&pool, -1, &keep), 0);
    CHECK_INT(ant_pool_submit(pool, submit_receive, pool), 0);
    ant_chan_send(c, NULL);
    CHECK_INT(ant_pool_running(pool), 2);
    CHECK_INT(ant_pool_free(pool), -1);
    CHECK_INT(ant_pool_tune(pool, 10), -EOPNOTSUPP);
    CHECK_INT(ant_pool_cap(pool), -1);
    CHECK_INT(ant_pool_destroy(pool), 0);
    CHECK_INT(ant_pool_new(&none, -1, &preallocated), ANT_EPOOLPREALLOC);
}

static void use_and_destroy(nap_pool *pool, int (*invoke)(const nap_pool *, int))
{
    CHECK_INT(invoke(pool, 10), 0);
    CHECK_INT(invoke(pool, 10), 0);
    ant_chan_send(c, NULL);
    ant_chan_send(c, NULL);
    CHECK_INT(ant_func_pool_running(nap_pool_any(pool)), 2);
    CHECK_INT(ant_func_pool_free(nap_pool_any(pool)), -1);
    CHECK_INT(ant_func_pool_tune(nap_pool_any(pool), 10), -EOPNOTSUPP);
    CHECK_INT(ant_func_pool_cap(nap_pool_any(pool)), -1);
    CHECK_INT(nap_pool_destroy(pool), 0);
}

static void with_func(void)
{
    nap_pool pool = {0};
    ant_func_pool *none;

    CHECK_INT(ant_func_pool_new(&pool.pool, -1, nap_and_receive_by_copy, sizeof(int), &keep), 0);
    use_and_destroy(&pool, invoke_copy);
    CHECK_INT(ant_func_pool_new(&none, -1, nap_and_receive_by_copy, sizeof(int), &preallocated),
              ANT_EPOOLPREALLOC);
}

static void typed(void)
{
    nap_pool pool, none;

    CHECK_INT(nap_pool_new(&pool, -1, nap_and_receive, &keep), 0);
    use_and_destroy(&pool, nap_pool_invoke);
    CHECK_INT(nap_pool_new(&none, -1, nap_and_receive, &preallocated), ANT_EPOOLPREALLOC);
}

static int run(void *arg)
{
    CHECK_INT(ant_chan_new(&c, 0, 0), 0);
    plain();
    with_func();
    typed();
    CHECK_INT(ant_chan_destroy(c), 0);
    return 0;
}

TEST(ants_28_infinite)
{
    return run_both(run);
}
