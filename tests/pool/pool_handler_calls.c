/* pool_handler_calls - a panic handler may use its pool, whose only worker has just gone: to submit
 * the task again, and wait for a worker if need be; to look at it; to release it. */
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"

static ant_pool *pool;
static atomic_int tries, ran, handled;

static void fail_at_first(void *arg)
{
    if (atomic_fetch_add(&tries, 1) % 3 < 2)
        ant_panic("not yet");
    atomic_fetch_add(&ran, 1);
}

static void try_again(const ant_panic_info *info, void *arg)
{
    CHECK(ant_pool_running(pool) <= 1);
    CHECK_INT(ant_pool_submit(pool, fail_at_first, NULL), 0);
    atomic_fetch_add(&handled, 1);
}

static void play(const ant_pool_options *options)
{
    atomic_store(&tries, 0);
    atomic_store(&ran, 0);
    atomic_store(&handled, 0);
    CHECK_INT(ant_pool_new(&pool, 1, options), 0);
    for (int i = 0; i < 10; i++)
        CHECK_INT(ant_pool_submit(pool, fail_at_first, NULL), 0);
    CHECK_INT(ant_pool_wait(pool), 0);
    CHECK_INT(atomic_load(&ran), 10);
    CHECK_INT(atomic_load(&handled), 20);
    CHECK_INT(ant_pool_destroy(pool), 0);
}

static void close_pool(const ant_panic_info *info, void *arg)
{
    CHECK_INT(ant_pool_release(pool), 0);
    CHECK_INT(ant_pool_submit(pool, fail_at_first, NULL), ANT_ECLOSED);
    atomic_fetch_add(&handled, 1);
}

static void releases(void)
{
    atomic_store(&tries, 0);
    atomic_store(&handled, 0);
    CHECK_INT(ant_pool_new(&pool, 1, &(ant_pool_options){.panic_handler = close_pool}), 0);
    CHECK_INT(ant_pool_submit(pool, fail_at_first, NULL), 0);
    CHECK_INT(ant_pool_wait(pool), 0);
    CHECK_INT(atomic_load(&handled), 1);
    CHECK(ant_pool_is_closed(pool));
    CHECK_INT(ant_pool_destroy(pool), 0);
}

static int run(void *arg)
{
    for (int i = 0; i < test_scale(50); i++) {
        play(&(ant_pool_options){.panic_handler = try_again});
        play(&(ant_pool_options){.panic_handler = try_again, .prealloc = true, .queue = 3});
        releases();
    }
    return 0;
}

TEST(pool_handler_calls)
{
    return ant_run(run, NULL, NULL);
}
