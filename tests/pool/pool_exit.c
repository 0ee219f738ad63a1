/* pool_exit - ant_exit ends a task and its worker, not the pool: deferred calls are made, the panic
 * handler is not called, who waits gets another worker. In a panic handler it ends that, and
 * nothing is left of it. */
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"

static ant_pool *pool;
static atomic_int deferred, handled, ran;

static void count(void *arg)
{
    atomic_fetch_add((atomic_int *)arg, 1);
}

static void leave(void *arg)
{
    ANT_DEFER(count, &deferred);
    ant_yield();
    ant_exit();
}

static void panic(void *arg)
{
    ANT_DEFER(count, &deferred);
    ant_panic("as it should");
}

static void handle_and_leave(const ant_panic_info *info, void *arg)
{
    CHECK_STR(info->message, "as it should");
    atomic_fetch_add(&handled, 1);
    ant_yield();
    ant_exit();
}

static void play(const ant_pool_options *options, int size)
{
    static const char large[1000];
    int n = 20;

    atomic_store(&deferred, 0);
    atomic_store(&handled, 0);
    atomic_store(&ran, 0);
    CHECK_INT(ant_pool_new(&pool, size, options), 0);
    for (int i = 0; i < n; i++) {
        CHECK_INT(ant_pool_submit_copy(pool, leave, large, sizeof large), 0);
        CHECK_INT(ant_pool_submit_copy(pool, panic, large, sizeof large), 0);
        CHECK_INT(ant_pool_submit(pool, count, &ran), 0);
    }
    CHECK_INT(ant_pool_wait(pool), 0);
    CHECK(ant_pool_running(pool) <= 1);
    CHECK_INT(ant_pool_release_timeout(pool, ANT_HOUR), 0);
    CHECK_INT(ant_pool_running(pool), 0);
    CHECK_INT(atomic_load(&deferred), 2 * n);
    CHECK_INT(atomic_load(&handled), n);
    CHECK_INT(atomic_load(&ran), n);
    CHECK_INT(ant_pool_destroy(pool), 0);
}

static int run(void *arg)
{
    for (int i = 0; i < test_scale(50); i++) {
        play(&(ant_pool_options){.panic_handler = handle_and_leave}, 1);
        play(&(ant_pool_options){.panic_handler = handle_and_leave, .prealloc = true}, 1);
    }
    while (ant_count() > 1)
        ant_yield();
    return 0;
}

TEST(pool_exit)
{
    return ant_run(run, NULL, NULL);
}
