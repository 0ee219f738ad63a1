/* panic_exit_memory - goroutines that end inside of trys, and tasks of a pool that call ant_exit, leave no
 * memory behind.
 *
 * Catches: a fiber of TSan, of which some 16 KB are touched, for each try that did not return. */
#include <anthill.h>

#include "check.h"

enum { TIMES = 300, MOST = 6 << 10 /* KB */ };

static ant_waitgroup wg;

static void leave(void *arg)
{
    ant_exit();
}

static void try_twice(void *arg)
{
    ant_try(arg ? leave : try_twice, &wg, NULL);
}

static void end_in_trys(void *arg)
{
    ANT_DEFER((void (*)(void *))ant_waitgroup_done, &wg);
    try_twice(NULL);
}

static long resident_kb(void)
{
    FILE *f = fopen("/proc/self/statm", "r");
    long pages = 0;

    CHECK(f && fscanf(f, "%*d %ld", &pages) == 1);
    fclose(f);
    return pages * 4;
}

static void some(ant_pool *pool)
{
    for (int i = 0; i < TIMES; i++) {
        ant_waitgroup_add(&wg, 1);
        CHECK_INT(ant_go(end_in_trys, NULL), 0);
        ant_waitgroup_wait(&wg);
        CHECK_INT(ant_pool_submit(pool, leave, NULL), 0);
        CHECK_INT(ant_pool_wait(pool), 0);
    }
}

static int run(void *arg)
{
    ant_pool *pool;
    long before;

    CHECK_INT(ant_pool_new(&pool, 1, NULL), 0);
    some(pool);
    before = resident_kb();
    some(pool);
    if (resident_kb() - before > MOST)
        FAIL("%ld KB more than before", resident_kb() - before);
    return ant_pool_destroy(pool);
}

TEST(panic_exit_memory)
{
    return ant_run(run, NULL, NULL);
}
