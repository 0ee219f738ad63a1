/* stack_reused_often - one stack is used by a hundred thousand goroutines one after the other,
 * which end by returning, by ant_exit from deep down, and with the next one waiting or not; nothing
 * piles up, also not in the tools that watch us. Not scaled down, since it is the number that
 * matters. */
#include <anthill.h>

#include "check.h"

static ant_waitgroup wg;
static volatile int bottom;

static void return_at_once(void *arg)
{
    ant_waitgroup_done(&wg);
}

static void return_later(void *arg)
{
    ant_yield();
    ant_waitgroup_done(&wg);
}

static __attribute__((noinline)) int exit_deep_down(int depth)
{
    if (depth < bottom)
        return 0;
    if (depth == bottom) {
        ant_waitgroup_done(&wg);
        ant_exit();
    }
    return exit_deep_down(depth - 1) + 1;
}

static void exit_from_below(void *arg)
{
    exit_deep_down(10);
}

static int run(void *arg)
{
    static void (*const fns[])(void *) = {return_at_once, return_later, exit_from_below};
    ant_stats stats;

    for (int i = 0; i < test_scale(100000); i++) {
        ant_waitgroup_add(&wg, 1);
        CHECK_INT(ant_go(fns[i % 3], NULL), 0);
        if (i % 7 < 5)
            ant_waitgroup_wait(&wg);
    }
    ant_waitgroup_wait(&wg);
    CHECK_INT(ant_stats_get(&stats), 0);
    CHECK(stats.stacks < 30);
    return 0;
}

TEST(stack_reused_often)
{
    CHECK_INT(unsetenv("ANTHILL"), 0);
    CHECK_INT(ant_run(run, NULL, &(ant_config){.procs = 1}), 0);
    return 0;
}
