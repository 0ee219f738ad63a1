/* ants_41_default_pool_release_timeout - row 41: releasing the default pool waits for its tasks. */
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"
#include "run_both.h"

enum { TASKS = 5 };

static ant_chan *gate;
static atomic_int ended;

static void pass_gate(void *arg)
{
    ant_chan_recv(gate, NULL);
    ant_sleep(20 * ANT_MILLISECOND);
    atomic_fetch_add(&ended, 1);
}

static int run(void *arg)
{
    ant_pool *pool = ant_default_pool();

    CHECK_INT(ant_chan_new(&gate, 0, 0), 0);
    CHECK_INT(ant_pool_release(pool), 0);
    CHECK_INT(ant_pool_reboot(pool), 0);
    for (int i = 0; i < TASKS; i++)
        CHECK_INT(ant_submit(pass_gate, NULL), 0);
    CHECK_INT(ant_pool_running(pool), TASKS);
    ant_chan_close(gate);
    CHECK_INT(ant_pool_release_timeout(pool, ANT_MINUTE), 0);
    CHECK_INT(atomic_exchange(&ended, 0), TASKS);
    CHECK_INT(ant_pool_running(pool), 0);
    CHECK_INT(ant_chan_destroy(gate), 0);
    return 0;
}

TEST(ants_41_default_pool_release_timeout)
{
    return run_both(run);
}
