/* go_big_procs.c - the greatest number of Ps works.
 *
 * Catches: tables and masks that are too small for it; time or threads that grow with the Ps instead
 * of the work.
 */
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"

enum { MOST = 1024 };

static _Atomic int done;
static ant_waitgroup ended;

static void work(void *arg)
{
    ant_yield();
    ant_sleep(ANT_MILLISECOND / 10);
    atomic_fetch_add(&done, 1);
    ant_waitgroup_done(&ended);
}

static int run(void *arg)
{
    int n = test_scale(3000);

    CHECK_INT(ant_procs(), MOST);
    ant_waitgroup_add(&ended, n);
    for (int i = 0; i < n; i++)
        CHECK_INT(ant_go(work, NULL), 0);
    ant_waitgroup_wait(&ended);
    CHECK_INT(atomic_load(&done), n);
    return 0;
}

int main(void)
{
    CHECK_INT(ant_run(run, NULL, &(ant_config){.procs = MOST}), 0);
    CHECK(ant_run(run, NULL, &(ant_config){.procs = MOST + 1}) < 0);
    return 0;
}
