/* life_fork_fresh - a child that was forked while no runtime ran can start its own, also when there
 * had been one before. */
#include "life_fork.h"

static void mark(void *wg)
{
    ant_waitgroup_done(wg);
}

static int run(void *arg)
{
    ant_waitgroup wg = {0};

    ant_waitgroup_add(&wg, 100);
    for (int i = 0; i < 100; i++)
        CHECK_INT(ant_go(mark, &wg), 0);
    ant_waitgroup_wait(&wg);
    return 42;
}

static void run_in_child(void)
{
    CHECK_INT(ant_run(run, NULL, NULL), 42);
    CHECK_INT(ant_start(NULL), 0);
    CHECK_INT(ant_stop(), 0);
}

TEST(life_fork_fresh)
{
    char output[4096];

    CHECK_INT(test_child(run_in_child, output, sizeof output), 0);
    CHECK_INT(ant_run(run, NULL, NULL), 42);
    CHECK_INT(test_child(run_in_child, output, sizeof output), 0);
    CHECK_INT(ant_run(run, NULL, NULL), 42);
    return 0;
}
