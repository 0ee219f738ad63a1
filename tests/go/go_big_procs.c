/* go_big_procs.c - the greatest number of Ps works, with more of them in use at once than fit into
 * one word of a bit mask.
 *
 * Catches: tables and masks that are too small; Ps with high numbers that nobody steals from.
 * (Then this hangs or crashes.)
 */
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"

enum { MOST = 1024, AT_ONCE = 100 };

static _Atomic int here, done;
static ant_waitgroup ended;

static void work(void *arg)
{
    ant_yield();
    ant_sleep(ANT_MILLISECOND / 10);
    atomic_fetch_add(&done, 1);
    ant_waitgroup_done(&ended);
}

/* Each holds on to its P until all are there, while the next one waits in that P's queue. */
static void start_next_and_meet(void *arg)
{
    int left = *(int *)arg - 1;

    if (left > 0)
        CHECK_INT(ant_go_copy(start_next_and_meet, &left, sizeof left), 0);
    atomic_fetch_add(&here, 1);
    while (atomic_load(&here) < AT_ONCE)
        usleep(1000);
    ant_waitgroup_done(&ended);
}

static int run(void *arg)
{
    int n = test_scale(3000), at_once = AT_ONCE;

    CHECK_INT(ant_procs(), MOST);
    ant_waitgroup_add(&ended, n);
    for (int i = 0; i < n; i++)
        CHECK_INT(ant_go(work, NULL), 0);
    ant_waitgroup_wait(&ended);
    CHECK_INT(atomic_load(&done), n);

    ant_waitgroup_add(&ended, AT_ONCE);
    CHECK_INT(ant_go_copy(start_next_and_meet, &at_once, sizeof at_once), 0);
    ant_waitgroup_wait(&ended);
    return 0;
}

TEST(go_big_procs)
{
    CHECK_INT(unsetenv("ANTHILL"), 0);
    CHECK_INT(ant_run(run, NULL, &(ant_config){.procs = MOST}), 0);
    CHECK(ant_run(run, NULL, &(ant_config){.procs = MOST + 1}) < 0);
    return 0;
}
