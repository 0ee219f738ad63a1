/* pool_release_zero - released with a timeout of zero, or a negative one, the pool tells at once
 * and always the same: ANT_ETIMEOUT while a task runs, waits in the queue or its panic is handled,
 * else 0. Afterwards one can wait for the rest, also several times. */
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"

static ant_pool *pool;
static atomic_bool gate;
static atomic_int ran, handling;

static void wait_at_gate(void *arg)
{
    while (!atomic_load(&gate))
        ant_sleep(ANT_MICROSECOND);
    atomic_fetch_add(&ran, 1);
}

static void panic(void *arg)
{
    ant_panic("as it should");
}

static void handle(const ant_panic_info *info, void *arg)
{
    atomic_fetch_add(&handling, 1);
    wait_at_gate(NULL);
}

static void begin(bool prealloc)
{
    atomic_store(&gate, false);
    atomic_store(&ran, 0);
    atomic_store(&handling, 0);
    CHECK_INT(ant_pool_new(
                  &pool, 1,
                  &(ant_pool_options){.prealloc = prealloc, .queue = 1, .panic_handler = handle}),
              0);
}

static void end(int tasks)
{
    ant_ctx *ctx;

    CHECK_INT(ant_ctx_with_cancel(&ctx, NULL), 0);
    ant_ctx_cancel(ctx);
    CHECK_INT(ant_pool_wait_ctx(pool, ctx), tasks ? ANT_ECANCELED : 0);
    CHECK_INT(ant_pool_release_timeout(pool, 0), ANT_ECLOSED);
    atomic_store(&gate, true);
    CHECK_INT(ant_pool_wait(pool), 0);
    CHECK_INT(ant_pool_wait_ctx(pool, ctx), 0);
    ant_ctx_unref(ctx);
    CHECK_INT(atomic_load(&ran), tasks);
    CHECK_INT(ant_pool_running(pool), 0);
    CHECK_INT(ant_pool_destroy(pool), 0);
}

/* Idle workers do not count, nor does it matter whether they are just being retired. */
static void idle(bool prealloc, ant_duration timeout)
{
    begin(prealloc);
    atomic_store(&gate, true);
    CHECK_INT(ant_pool_submit(pool, wait_at_gate, NULL), 0);
    CHECK_INT(ant_pool_wait(pool), 0);
    atomic_store(&ran, 0);
    CHECK_INT(ant_pool_release_timeout(pool, timeout), 0);
    end(0);
}

static void never_used(bool prealloc, ant_duration timeout)
{
    begin(prealloc);
    CHECK_INT(ant_pool_release_timeout(pool, timeout), 0);
    end(0);
}

static void busy(bool prealloc, ant_duration timeout, int tasks)
{
    begin(prealloc);
    for (int i = 0; i < tasks; i++)
        CHECK_INT(ant_pool_submit(pool, wait_at_gate, NULL), 0);
    CHECK_INT(ant_pool_release_timeout(pool, timeout), ANT_ETIMEOUT);
    end(tasks);
}

static void in_handler(bool prealloc, ant_duration timeout)
{
    begin(prealloc);
    CHECK_INT(ant_pool_submit(pool, panic, NULL), 0);
    while (atomic_load(&handling) == 0)
        ant_yield();
    CHECK_INT(ant_pool_running(pool), 0);
    CHECK_INT(ant_pool_release_timeout(pool, timeout), ANT_ETIMEOUT);
    end(1);
}

static int run(void *arg)
{
    for (int i = 0; i < test_scale(200); i++) {
        ant_duration timeout = i % 3 - 1; /* the last: 1 ns */

        never_used(i % 2, timeout);
        idle(i % 2, timeout);
        busy(i % 2, timeout, 1 + i % 2);
        in_handler(i % 2, timeout);
    }
    return 0;
}

TEST(pool_release_zero)
{
    return ant_run(run, NULL, NULL);
}
