/* pool_cycles - pools that were made, used and destroyed leave nothing behind: no goroutine, no
 * thread, no memory, no mapping; neither when the runtime was stopped, nor while it runs. All ways of
 * use: tasks that panic, large arguments, a queue, idle workers that expired or did not, a pool that
 * was never used. */
#include <limits.h>
#include <malloc.h>
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"

enum { WARM_UP = 20, SOME = 65536 };

static void yield_once(void *arg)
{
    ant_yield();
}

static void panic(void *arg)
{
    ant_panic("as it should");
}

static void ignore(const ant_panic_info *info, void *arg)
{
}

static void use(ant_pool *pool)
{
    static const char large[1000];

    for (int i = 0; i < 10; i++) {
        CHECK_INT(ant_pool_submit(pool, yield_once, NULL), 0);
        CHECK_INT(ant_pool_submit_copy(pool, yield_once, large, sizeof large), 0);
    }
    CHECK_INT(ant_pool_submit_copy(pool, panic, large, sizeof large), 0);
}

static void cycle(int i, ant_pool_options options)
{
    ant_pool *pool;

    options.panic_handler = ignore;
    CHECK_INT(ant_pool_new(&pool, 1 + i % 7, &options), 0);
    if (i % 10)
        use(pool);
    if (i % 3 == 0)
        CHECK_INT(ant_pool_release_timeout(pool, ANT_HOUR), 0);
    if (i % 6 == 0)
        CHECK_INT(ant_pool_reboot(pool), 0);
    if (i % 12 == 0)
        use(pool);
    CHECK_INT(ant_pool_destroy(pool), 0);
}

static void multi_cycle(void)
{
    ant_multi_pool *pool;

    CHECK_INT(ant_multi_pool_new(&pool, 4, 2, ANT_ROUND_ROBIN, NULL), 0);
    for (int i = 0; i < 10; i++)
        CHECK_INT(ant_multi_pool_submit(pool, yield_once, NULL), 0);
    CHECK_INT(ant_multi_pool_destroy(pool), 0);
}

static void cycles(int n)
{
    for (int i = 0; i < n; i++) {
        cycle(i, (ant_pool_options){.queue = i % 3});
        cycle(i, (ant_pool_options){.prealloc = true, .min_workers = 1});
        cycle(i, (ant_pool_options){.expiry = 1});
        cycle(i, (ant_pool_options){.disable_purge = true});
        multi_cycle();
    }
    while (ant_count() > 1)
        ant_yield();
}

static size_t in_use(void)
{
    return mallinfo2().uordblks;
}

struct measure {
    struct test_resources resources;
    size_t memory;
};

static struct measure measure(void)
{
    return (struct measure){test_resources_now(), in_use()};
}

static void check_no_more(const struct measure *before, int more_mappings, int more_memory)
{
    test_resources_check(&before->resources, more_mappings);
    if (!TEST_SANITIZED && in_use() > before->memory + (size_t)more_memory)
        FAIL("memory in use: %zu -> %zu", before->memory, in_use());
}

static int run(void *arg)
{
    cycles(*(int *)arg);
    return 0;
}

static void run_cycles(int n)
{
    CHECK_INT(ant_run(run, &n, NULL), 0);
}

/* The runtime makes threads when they are of use, with a few mappings each, and keeps them; and each P
 * keeps some memory for later. */
static int run_and_compare(void *arg)
{
    struct measure before;

    cycles(WARM_UP);
    before = measure();
    before.resources.threads = INT_MAX;
    cycles(*(int *)arg);
    check_no_more(&before, 200, SOME + ant_procs() * SOME);
    return 0;
}

TEST(pool_cycles)
{
    int n = test_scale(1000);
    struct measure before;

    run_cycles(WARM_UP);
    before = measure();
    run_cycles(n);
    check_no_more(&before, 40, SOME);
    CHECK_INT(ant_run(run_and_compare, &n, NULL), 0);
    return 0;
}
