/* pool_nested_tune - a task that waits for a worker of its own pool does not wait for ever when the
 * pool is tuned down meanwhile and the worker on which it could count is retired, or is lost by a
 * panic or by ant_exit: its submit returns, with 0 or ANT_EDEADLOCK. */
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"

static ant_pool *pool;
static atomic_bool gate;
static atomic_int inner, busy;
static atomic_int result;

enum how { RETURN, PANIC, EXIT };

static void count(void *arg)
{
    atomic_fetch_add(&inner, 1);
}

static void wait_at_gate(void *arg)
{
    atomic_fetch_add(&busy, 1);
    while (!atomic_load(&gate))
        ant_sleep(ANT_MICROSECOND);
    if (*(const enum how *)arg == PANIC)
        ant_panic("lost");
    if (*(const enum how *)arg == EXIT)
        ant_exit();
}

static void ignore(const ant_panic_info *info, void *arg)
{
}

static void submit_to_own_pool(void *arg)
{
    while (atomic_load(&busy) == 0)
        ant_yield();
    atomic_store(&result, ant_pool_submit(pool, count, NULL));
}

static void play(enum how how)
{
    const ant_pool_options options = {.panic_handler = ignore};

    atomic_store(&gate, false);
    atomic_store(&inner, 0);
    atomic_store(&busy, 0);
    CHECK_INT(ant_pool_new(&pool, 2, &options), 0);
    CHECK_INT(ant_pool_submit_copy(pool, wait_at_gate, &how, sizeof how), 0);
    CHECK_INT(ant_pool_submit(pool, submit_to_own_pool, NULL), 0);
    while (ant_pool_waiting(pool) == 0)
        ant_yield();
    CHECK_INT(ant_pool_tune(pool, 1), 0);
    atomic_store(&gate, true);
    CHECK_INT(ant_pool_wait(pool), 0);
    CHECK(atomic_load(&result) == 0 || atomic_load(&result) == ANT_EDEADLOCK);
    CHECK_INT(atomic_load(&inner), atomic_load(&result) == 0);
    CHECK_INT(ant_pool_destroy(pool), 0);
}

static int run(void *arg)
{
    play(RETURN);
    play(PANIC);
    play(EXIT);
    return 0;
}

TEST(pool_nested_tune)
{
    return ant_run(run, NULL, NULL);
}
