/* A goroutine with the option `blocking`, and the tasks of such a pool, lose their P wherever they keep it:
 * even if they compute, and more of them than there may be hogs.
 *
 * Catches: an option that nobody looks at. */
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"

enum { BUSY = 6 };

static _Atomic bool over;
static _Atomic int began;
static ant_waitgroup wg;

static void busy(void *arg)
{
    atomic_fetch_add(&began, 1);
    while (!atomic_load(&over))
        usleep(arg ? 0 : 100);
    ant_waitgroup_done(&wg);
}

static void await_all(void)
{
    double deadline = test_now() + 40;

    while (atomic_load(&began) < BUSY) {
        if (test_now() > deadline)
            FAIL("%d of %d began", atomic_load(&began), BUSY);
        ant_sleep(ANT_MILLISECOND);
    }
    atomic_store(&over, true);
    ant_waitgroup_wait(&wg);
    atomic_store(&over, false);
    atomic_store(&began, 0);
}

static int run(void *arg)
{
    const ant_go_options go = {.blocking = true, .name = "busy"};
    ant_pool *pool;

    ant_waitgroup_add(&wg, BUSY);
    for (int i = 0; i < BUSY; i++)
        CHECK_INT(ant_go_opts(&go, busy, &wg), 0);
    await_all();
    CHECK_INT(ant_pool_new(&pool, BUSY, &(ant_pool_options){.blocking = true}), 0);
    ant_waitgroup_add(&wg, BUSY);
    for (int i = 0; i < BUSY; i++)
        CHECK_INT(ant_pool_submit(pool, busy, &wg), 0);
    await_all();
    CHECK_INT(ant_pool_destroy(pool), 0);
    return 0;
}

TEST(blocking_option)
{
    const ant_config config = {.procs = 1, .max_hogs = 1};

    CHECK_INT(unsetenv("ANTHILL"), 0);
    CHECK_INT(ant_run(run, NULL, &config), 0);
    return 0;
}
