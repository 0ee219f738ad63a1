/* pool_nested - tasks that submit to their own pool while it is full. They wait as long as there is
 * a worker that does not; the one that would close the ring is told ANT_EDEADLOCK, or runs its task
 * itself if the pool is made so, or waits for its context. A pool of any size, also with plain
 * submitters in the line, and several pools as one. */
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"

enum { MOST = 4 };

static ant_pool *pool;
static atomic_int inside, inner, refused, accepted;
static int size;

static void count(void *arg)
{
    atomic_fetch_add(&inner, 1);
}

static void await_all(void)
{
    atomic_fetch_add(&inside, 1);
    while (atomic_load(&inside) < size)
        ant_yield();
}

static void submit_to_own_pool(void *arg)
{
    int err;

    await_all();
    err = ant_pool_submit(pool, count, NULL);
    if (err)
        CHECK_INT(err, ANT_EDEADLOCK);
    atomic_fetch_add(err ? &refused : &accepted, 1);
}

static void submit_from_outside(void *arg)
{
    CHECK_INT(ant_pool_submit(pool, count, NULL), 0);
}

static void fill(int n, const ant_pool_options *options, void (*task)(void *))
{
    size = n;
    atomic_store(&inside, 0);
    atomic_store(&inner, 0);
    atomic_store(&refused, 0);
    atomic_store(&accepted, 0);
    CHECK_INT(ant_pool_new(&pool, n, options), 0);
    for (int i = 0; i < n; i++)
        CHECK_INT(ant_pool_submit(pool, task, NULL), 0);
}

/* At least one must be refused; with more than one worker not all are. */
static void refuses(int n, int outsiders)
{
    fill(n, NULL, submit_to_own_pool);
    for (int i = 0; i < outsiders; i++)
        CHECK_INT(ant_go(submit_from_outside, NULL), 0);
    while (atomic_load(&inner) < atomic_load(&accepted) + outsiders ||
           atomic_load(&accepted) + atomic_load(&refused) < n)
        ant_yield();
    CHECK_INT(ant_pool_destroy(pool), 0);
    CHECK_INT(atomic_load(&inner), atomic_load(&accepted) + outsiders);
    CHECK(n > 1 || atomic_load(&refused) == 1);
    CHECK(n == 1 || atomic_load(&accepted) >= 1);
}

static void runs_in_place(int n, bool nonblocking)
{
    fill(n, &(ant_pool_options){.caller_runs = true, .nonblocking = nonblocking},
         submit_to_own_pool);
    CHECK_INT(ant_pool_wait(pool), 0);
    CHECK_INT(ant_pool_destroy(pool), 0);
    CHECK_INT(atomic_load(&inner), n);
    CHECK_INT(atomic_load(&accepted), n);
}

static void queues(int n)
{
    fill(n, &(ant_pool_options){.queue = n}, submit_to_own_pool);
    CHECK_INT(ant_pool_wait(pool), 0);
    CHECK_INT(ant_pool_destroy(pool), 0);
    CHECK_INT(atomic_load(&inner), n);
    CHECK_INT(atomic_load(&refused), 0);
}

static void submit_with_timeout(void *arg)
{
    ant_ctx *ctx;

    await_all();
    CHECK_INT(ant_ctx_with_timeout(&ctx, NULL, ANT_MILLISECOND), 0);
    CHECK_INT(ant_pool_submit_ctx(pool, count, NULL, ctx), ANT_ETIMEOUT);
    ant_ctx_unref(ctx);
    atomic_fetch_add(&refused, 1);
    while (atomic_load(&refused) < size)
        ant_yield();
}

static void times_out(int n)
{
    fill(n, NULL, submit_with_timeout);
    CHECK_INT(ant_pool_wait(pool), 0);
    CHECK_INT(ant_pool_destroy(pool), 0);
    CHECK_INT(atomic_load(&inner), 0);
}

static ant_multi_pool *multi;

static void submit_to_own_multi(void *arg)
{
    int err;

    await_all();
    err = ant_multi_pool_submit(multi, count, NULL);
    if (err)
        CHECK_INT(err, ANT_EDEADLOCK);
    atomic_fetch_add(err ? &refused : &accepted, 1);
}

static void several(int n)
{
    size = 2 * n;
    atomic_store(&inside, 0);
    atomic_store(&inner, 0);
    atomic_store(&accepted, 0);
    CHECK_INT(ant_multi_pool_new(&multi, 2, n, ANT_ROUND_ROBIN, NULL), 0);
    for (int i = 0; i < size; i++)
        CHECK_INT(ant_multi_pool_submit(multi, submit_to_own_multi, NULL), 0);
    CHECK_INT(ant_multi_pool_wait(multi), 0);
    CHECK_INT(ant_multi_pool_destroy(multi), 0);
    CHECK_INT(atomic_load(&inner), atomic_load(&accepted));
}

static int run(void *arg)
{
    for (int i = 0; i < test_scale(40); i++) {
        for (int n = 1; n <= MOST; n++) {
            refuses(n, 0);
            refuses(n, 3);
            runs_in_place(n, false);
            runs_in_place(n, true);
            queues(n);
            several(n);
        }
        times_out(1 + i % MOST);
    }
    return 0;
}

TEST(pool_nested)
{
    return ant_run(run, NULL, NULL);
}
