/* pool_no_goroutine - there are workers, but no memory for the goroutine that is to run their tasks: a
 * submit is told so, its task never runs, and its worker is idle again.
 *
 * Catches: a worker that is counted as busy for ever, a task that runs though it was refused. */
#include <errno.h>
#include <limits.h>

#include <anthill.h>

#include "check.h"
#include "fail_from.h"
#include "runtime/runtime.h"

enum { WORKERS = 3 };

static int ran;

static void count(void *arg)
{
    ran++;
}

static void nothing(void *arg)
{
}

/* Goroutines that have not begun have no stack: so these are all that are left. */
static void use_up_goroutines(void)
{
    int err;

    fail_from(1);
    while ((err = ant_go(nothing, NULL)) == 0)
        continue;
    CHECK_INT(err, -ENOMEM);
}

static int run(void *arg)
{
    ant_pool *pool;

    CHECK_INT(ant_pool_new(&pool, WORKERS, &(ant_pool_options){.min_workers = WORKERS}), 0);
    use_up_goroutines();
    for (int i = 0; i < 2 * WORKERS; i++)
        CHECK_INT(ant_pool_submit(pool, count, NULL), -ENOMEM);
    fail_no_more();
    CHECK_INT(ant_pool_running(pool), WORKERS);
    CHECK_INT(ant_pool_submit(pool, count, NULL), 0);
    CHECK_INT(ant_pool_wait(pool), 0);
    CHECK_INT(ran, 1);
    CHECK_INT(ant_pool_destroy(pool), 0);
    return 0;
}

TEST(pool_no_goroutine)
{
    ant__slice = ANT_HOUR; /* main goes on until it waits */
    CHECK_INT(unsetenv("ANTHILL"), 0);
    CHECK_INT(ant_run(run, NULL, &(ant_config){.procs = 1}), 0);
    return 0;
}
