/* go_runnext_no_starvation.c - on one P two goroutines that keep readying one another, each thereby
 * the next to run, do not starve the rest of the queue.
 *
 * Catches: runnext always comes first. (Then this hangs.)
 */
#include "go_pair.h"

static ant_waitgroup ended;

static void bystander(void *arg)
{
    for (int i = 0; i < 100; i++)
        ant_yield();
    ant_waitgroup_done(&ended);
}

static int run(void *arg)
{
    static struct pair pair;

    pair_start(&pair);
    while (atomic_load(&pair.turns) < 1000) /* so that all strides are as long as they get */
        ant_yield();
    ant_waitgroup_add(&ended, 2);
    CHECK_INT(ant_go(bystander, NULL), 0);
    CHECK_INT(ant_go(bystander, NULL), 0);
    ant_waitgroup_wait(&ended);
    pair_stop(&pair);
    return 0;
}

TEST(go_runnext_no_starvation)
{
    return ant_run(run, NULL, &(ant_config){.procs = 1});
}
