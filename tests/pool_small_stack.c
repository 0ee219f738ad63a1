/* pool_small_stack - tasks that run on the smallest stacks can sleep, yield, submit with large
 * arguments and wait for a worker, thousands of them. */
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"

static ant_pool *pool;
static atomic_int ran;
static char large[300];

static void count(void *arg)
{
    atomic_fetch_add(&ran, 1);
}

static void sleep_a_little(void *arg)
{
    ant_sleep(ANT_MICROSECOND);
    ant_yield();
    atomic_fetch_add(&ran, 1);
}

static void submit_more(void *arg)
{
    if (ant_pool_submit_copy(pool, count, large, sizeof large) != 0)
        atomic_fetch_add(&ran, 1);
}

static void play(int size, ant_pool_options options)
{
    int n = test_scale(2000);

    options.stack_size = 2048;
    atomic_store(&ran, 0);
    CHECK_INT(ant_pool_new(&pool, size, &options), 0);
    for (int i = 0; i < n; i++) {
        CHECK_INT(ant_pool_submit(pool, sleep_a_little, NULL), 0);
        CHECK_INT(ant_pool_submit(pool, submit_more, NULL), 0);
    }
    CHECK_INT(ant_pool_wait(pool), 0);
    CHECK_INT(atomic_load(&ran), 2 * n);
    CHECK_INT(ant_pool_destroy(pool), 0);
}

static int run(void *arg)
{
    play(3, (ant_pool_options){0});
    play(100, (ant_pool_options){.prealloc = true});
    play(0, (ant_pool_options){.expiry = ANT_MICROSECOND});
    play(10, (ant_pool_options){.queue = 20});
    return 0;
}

int main(void)
{
    return ant_run(run, NULL, NULL);
}
