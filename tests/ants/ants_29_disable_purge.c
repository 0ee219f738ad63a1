/* ants_29_disable_purge - rows 29 to 32: where purging is disabled no worker goes for being idle,
 * whether a time of expiry was given or not; but all go when the pool is released. The four cases
 * run at the same time, since each of them waits. */
#include <anthill.h>

#include "check.h"
#include "run_both.h"

enum { PATIENCE = ANT_POOL_EXPIRY / ANT_MILLISECOND * 11 / 10 }; /* ms */

struct round {
    int size;
    ant_duration expiry;
    ant_duration wait;
    ant_waitgroup started, ended;
    ant_chan *gate;
};

static ant_waitgroup rounds;

static void task(void *arg)
{
    struct round *r = arg;

    ant_waitgroup_done(&r->started);
    ant_chan_recv(r->gate, NULL);
    ant_waitgroup_done(&r->ended);
}

static void task_by_copy(void *arg)
{
    task(*(struct round **)arg);
}

static ant_pool_options begin(struct round *r)
{
    CHECK_INT(ant_chan_new(&r->gate, 0, 0), 0);
    ant_waitgroup_add(&r->started, r->size);
    ant_waitgroup_add(&r->ended, r->size);
    return (ant_pool_options){.disable_purge = true, .expiry = r->expiry};
}

static void let_all_end(struct round *r)
{
    ant_chan_close(r->gate);
    ant_waitgroup_wait(&r->ended);
    ant_sleep(r->wait);
}

static void end(struct round *r)
{
    CHECK_INT(ant_chan_destroy(r->gate), 0);
    ant_waitgroup_done(&rounds);
}

static void check_pool(const ant_pool *pool, int running, int available)
{
    CHECK_INT(ant_pool_running(pool), running);
    CHECK_INT(ant_pool_free(pool), available);
}

static void plain(void *arg)
{
    struct round *r = arg;
    ant_pool_options options = begin(r);
    ant_pool *pool;

    CHECK_INT(ant_pool_new(&pool, r->size, &options), 0);
    for (int i = 0; i < r->size; i++)
        CHECK_INT(ant_pool_submit(pool, task, r), 0);
    ant_waitgroup_wait(&r->started);
    check_pool(pool, r->size, 0);
    let_all_end(r);
    check_pool(pool, r->size, 0);
    CHECK_INT(ant_pool_release_timeout(pool, ANT_MINUTE), 0);
    check_pool(pool, 0, r->size);
    CHECK_INT(ant_pool_destroy(pool), 0);
    end(r);
}

static void check_func_pool(const ant_func_pool *pool, int running, int available)
{
    CHECK_INT(ant_func_pool_running(pool), running);
    CHECK_INT(ant_func_pool_free(pool), available);
}

static void with_func(void *arg)
{
    struct round *r = arg;
    ant_pool_options options = begin(r);
    ant_func_pool *pool;

    CHECK_INT(ant_func_pool_new(&pool, r->size, task_by_copy, sizeof r, &options), 0);
    for (int i = 0; i < r->size; i++)
        CHECK_INT(ant_func_pool_invoke(pool, &r), 0);
    ant_waitgroup_wait(&r->started);
    check_func_pool(pool, r->size, 0);
    let_all_end(r);
    check_func_pool(pool, r->size, 0);
    CHECK_INT(ant_func_pool_release_timeout(pool, ANT_MINUTE), 0);
    check_func_pool(pool, 0, r->size);
    CHECK_INT(ant_func_pool_destroy(pool), 0);
    end(r);
}

static int run(void *arg)
{
    struct round by_default[2] = {{.size = 10, .wait = PATIENCE * ANT_MILLISECOND},
                                  {.size = 10, .wait = PATIENCE * ANT_MILLISECOND}};
    struct round with_expiry[2] = {
        {.size = 10, .expiry = 20 * ANT_MILLISECOND, .wait = 100 * ANT_MILLISECOND},
        {.size = 2, .expiry = 20 * ANT_MILLISECOND, .wait = 100 * ANT_MILLISECOND}};

    ant_waitgroup_add(&rounds, 4);
    CHECK_INT(ant_go(plain, &by_default[0]), 0);
    CHECK_INT(ant_go(plain, &with_expiry[0]), 0);
    CHECK_INT(ant_go(with_func, &by_default[1]), 0);
    CHECK_INT(ant_go(with_func, &with_expiry[1]), 0);
    ant_waitgroup_wait(&rounds);
    return 0;
}

TEST(ants_29_disable_purge)
{
    return run_both(run);
}
