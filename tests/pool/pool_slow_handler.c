/* pool_slow_handler - a panic handler that takes its time delays nobody: the worker's place is free
 * before it is called, so the next task runs while it is still at it. Whoever releases the pool,
 * though, waits for it, and can do so again after the time ran out. */
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"

static ant_pool *pool;
static atomic_bool gate;
static atomic_int handling, handled, ran, submitted;

static void panic(void *arg)
{
    while (ant_pool_waiting(pool) < 2)
        ant_yield();
    ant_panic("as it should");
}

static void count(void *arg)
{
    atomic_fetch_add(&ran, 1);
}

static void submit_one(void *arg)
{
    CHECK_INT(ant_pool_submit(pool, count, NULL), 0);
    atomic_fetch_add(&submitted, 1);
}

static void handle_slowly(const ant_panic_info *info, void *arg)
{
    atomic_fetch_add(&handling, 1);
    while (!atomic_load(&gate))
        ant_sleep(ANT_MICROSECOND);
    atomic_fetch_add(&handled, 1);
}

static void play(void)
{
    atomic_store(&gate, false);
    atomic_store(&handling, 0);
    atomic_store(&handled, 0);
    atomic_store(&ran, 0);
    CHECK_INT(ant_pool_new(&pool, 1, &(ant_pool_options){.panic_handler = handle_slowly}), 0);
    CHECK_INT(ant_pool_submit(pool, panic, NULL), 0);
    CHECK_INT(ant_go(submit_one, NULL), 0);
    CHECK_INT(ant_go(submit_one, NULL), 0);
    while (atomic_load(&handling) < 1 || atomic_load(&ran) < 2)
        ant_yield();
    CHECK_INT(atomic_load(&handled), 0);
    CHECK_INT(ant_pool_release_timeout(pool, 100 * ANT_MICROSECOND), ANT_ETIMEOUT);
    CHECK_INT(ant_pool_release_timeout(pool, ANT_MICROSECOND), ANT_ECLOSED);
    atomic_store(&gate, true);
    CHECK_INT(ant_pool_wait(pool), 0);
    CHECK_INT(atomic_load(&handled), 1);
    CHECK_INT(ant_pool_destroy(pool), 0);
    while (atomic_load(&submitted) < 2)
        ant_yield();
    atomic_store(&submitted, 0);
}

static int run(void *arg)
{
    for (int i = 0; i < test_scale(100); i++)
        play();
    return 0;
}

TEST(pool_slow_handler)
{
    return ant_run(run, NULL, NULL);
}
