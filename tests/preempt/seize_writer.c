/* One that writes on and on, and never has to wait, lets others run when it is asked to, even while as
 * many compute beside the Ps as may.
 *
 * Catches: a call that asks nobody (then only taking the P helps, which is not allowed here); one who
 * would give its P to another thread, but there is none. */
#include <netinet/in.h>
#include <stdatomic.h>

#include "net_help.h"

static _Atomic bool stop;
static ant_waitgroup wg;

static void compute(void *arg)
{
    while (!atomic_load_explicit(&stop, memory_order_relaxed))
        continue;
    ant_waitgroup_done(&wg);
}

/* To one that never reads: what is too much is dropped. */
static void write_on(void *arg)
{
    char address[ANT_ADDR_TEXT];
    ant_io to = listen_at("udp4", "127.0.0.1:0", NULL, address), from;

    CHECK_INT(ant_dial(&from, "udp", address), 0);
    while (!atomic_load(&stop))
        CHECK_INT(ant_write(from, "on", 2), 2);
    CHECK_INT(ant_close(from), 0);
    CHECK_INT(ant_close(to), 0);
    ant_waitgroup_done(&wg);
}

static int run(void *arg)
{
    ant_waitgroup_add(&wg, 2);
    CHECK_INT(ant_go(compute, NULL), 0);
    ant_sleep(50 * ANT_MILLISECOND); /* it runs without a P by now, or will soon */
    CHECK_INT(ant_go(write_on, NULL), 0);
    for (int i = 0; i < 5; i++)
        ant_sleep(20 * ANT_MILLISECOND);
    atomic_store(&stop, true);
    ant_waitgroup_wait(&wg);
    return 0;
}

TEST(seize_writer)
{
    return ant_run(run, NULL, &(ant_config){.procs = 1, .max_hogs = 1});
}
