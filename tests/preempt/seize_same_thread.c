/* A goroutine whose P was taken goes on in its own thread: calls that do not suspend never move it,
 * however long it computed or blocked before. */
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"
#include "runtime/runtime.h"

enum { GOROUTINES = 6 };

static ant_waitgroup wg;
static ant_chan *chan;

static void nothing(void *arg)
{
}

static void compute(void)
{
    for (double until = test_now() + 0.002; test_now() < until;)
        continue;
}

static void stay(void *arg)
{
    int v = 0;

    for (int i = 0; i < 20; i++) {
        pid_t before = gettid();

        compute();
        CHECK_INT(ant_go(nothing, NULL), 0);
        CHECK_INT(gettid(), before);
        compute();
        ant_chan_try_send(chan, &v);
        CHECK_INT(gettid(), before);
        ant_blocking_begin();
        usleep(2000);
        ant_blocking_end();
        CHECK_INT(gettid(), before);
        ant_yield();
    }
    ant_waitgroup_done(&wg);
}

static int run(void *arg)
{
    CHECK_INT(ant_chan_new(&chan, sizeof(int), 1), 0);
    ant_waitgroup_add(&wg, GOROUTINES);
    for (int i = 0; i < GOROUTINES; i++)
        ant_go(stay, NULL);
    ant_waitgroup_wait(&wg);
    ant_chan_destroy(chan);
    return 0;
}

TEST(seize_same_thread)
{
    ant__slice = 200 * ANT_MICROSECOND;
    CHECK_INT(ant_run(run, NULL, NULL), 0);
    return 0;
}
