/* A goroutine that never suspends, but calls into the runtime all the time, lets others run: with
 * one P it loops over a channel that never blocks. */
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"

static _Atomic bool released;
static ant_waitgroup wg;

static void busy(void *arg)
{
    ant_chan *c;
    int v = 1;

    CHECK_INT(ant_chan_new(&c, sizeof v, 1), 0);
    while (!atomic_load_explicit(&released, memory_order_relaxed)) {
        ant_chan_send(c, &v);
        CHECK(ant_chan_recv(c, &v));
    }
    ant_chan_destroy(c);
    ant_waitgroup_done(&wg);
}

static int run(void *arg)
{
    ant_waitgroup_add(&wg, 1);
    ant_go(busy, NULL);
    for (int i = 0; i < 10; i++)
        ant_sleep(ANT_MILLISECOND);
    atomic_store(&released, true);
    ant_waitgroup_wait(&wg);
    return 0;
}

TEST(seize_yield)
{
    CHECK_INT(ant_run(run, NULL, &(ant_config){.procs = 1}), 0);
    return 0;
}
