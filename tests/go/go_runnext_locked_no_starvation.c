/* go_runnext_locked_no_starvation.c - the same as go_runnext_no_starvation when the two are tied to
 * threads, one of them or both.
 *
 * Catches: each look of another thread for work renews the P's budget, so that it never ends and
 * runnext always comes first. (Then this hangs.)
 */
#include "go_pair.h"

static ant_waitgroup ended;

static void bystander(void *arg)
{
    for (int i = 0; i < 20; i++)
        ant_yield();
    ant_waitgroup_done(&ended);
}

static void yield_on(void *arg)
{
    for (int i = 0; i < 2000; i++)
        ant_yield();
    ant_waitgroup_done(&ended);
}

/* Short slices make the P's stride long. */
static void lengthen_stride(void)
{
    ant_waitgroup_add(&ended, 2);
    CHECK_INT(ant_go(yield_on, NULL), 0);
    CHECK_INT(ant_go(yield_on, NULL), 0);
    ant_waitgroup_wait(&ended);
}

static _Atomic int to_tie;

static void tie(struct pair *pair)
{
    if (atomic_fetch_sub(&to_tie, 1) > 0)
        CHECK_INT(ant_lock_thread(), 0);
}

static void starve(int tied)
{
    struct pair pair = {.begin = tie};

    lengthen_stride();
    atomic_store(&to_tie, tied);
    pair_start(&pair);
    ant_waitgroup_add(&ended, 2);
    CHECK_INT(ant_go(bystander, NULL), 0);
    CHECK_INT(ant_go(bystander, NULL), 0);
    ant_waitgroup_wait(&ended);
    pair_stop(&pair);
}

static int run(void *arg)
{
    for (int i = 0; i < 5; i++) {
        starve(1);
        starve(2);
    }
    return 0;
}

TEST(go_runnext_locked_no_starvation)
{
    return ant_run(run, NULL, &(ant_config){.procs = 1});
}
