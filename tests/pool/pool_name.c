/* pool_name - the name of a pool is that of the goroutines that run its tasks, as a dump shows
 * them, and is told by its statistics. */
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"

static atomic_bool gate, runs;

static void wait_at_gate(void *arg)
{
    atomic_store(&runs, true);
    while (!atomic_load(&gate))
        ant_sleep(ANT_MICROSECOND);
}

static void check_dump(void)
{
    char text[8192];
    ssize_t n;
    int fds[2];

    CHECK_INT(pipe(fds), 0);
    CHECK_INT(ant_dump(fds[1]), 0);
    close(fds[1]);
    n = read(fds[0], text, sizeof text - 1);
    CHECK(n > 0);
    text[n] = '\0';
    close(fds[0]);
    CHECK_HAS(text, "the crawler");
}

static int run(void *arg)
{
    ant_pool_stats stats;
    ant_pool *pool;

    CHECK_INT(ant_pool_new(&pool, 2, &(ant_pool_options){.name = "the crawler"}), 0);
    CHECK_INT(ant_pool_submit(pool, wait_at_gate, NULL), 0);
    while (!atomic_load(&runs))
        ant_yield();
    check_dump();
    CHECK_INT(ant_pool_stats_get(pool, &stats), 0);
    CHECK_STR(stats.name, "the crawler");
    atomic_store(&gate, true);
    CHECK_INT(ant_pool_destroy(pool), 0);
    return 0;
}

TEST(pool_name)
{
    return ant_run(run, NULL, NULL);
}
