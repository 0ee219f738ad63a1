/* go_runnext_nap - two goroutines hand something to one another, so that the other threads nap. Then one
 * readies a third and computes until that has run: a napping thread must notice, though nobody
 * wakes it. Again and again, after pauses of all lengths a nap can have. */
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"

static ant_chan *there, *back;
static atomic_bool ran;

static void echo(void *arg)
{
    int v;

    while (ant_chan_recv(there, &v))
        ant_chan_send(back, &v);
}

static void third(void *arg)
{
    atomic_store(&ran, true);
}

static void ping_pong(int n)
{
    for (int i = 0; i < n; i++) {
        int v = i;

        ant_chan_send(there, &v);
        CHECK(ant_chan_recv(back, &v));
        CHECK_INT(v, i);
    }
}

static int run(void *arg)
{
    CHECK_INT(ant_chan_new(&there, sizeof(int), 0), 0);
    CHECK_INT(ant_chan_new(&back, sizeof(int), 0), 0);
    CHECK_INT(ant_go(echo, NULL), 0);
    for (int i = 0; i < test_scale(300); i++) {
        ping_pong(i * 100 % 20011);
        atomic_store(&ran, false);
        CHECK_INT(ant_go(third, NULL), 0);
        while (!atomic_load(&ran))
            continue;
    }
    ant_chan_close(there);
    return 0;
}

TEST(go_runnext_nap)
{
    return ant_run(run, NULL, NULL);
}
