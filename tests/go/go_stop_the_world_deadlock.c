/* go_stop_the_world_deadlock.c - pausing all goroutines, changing the number of Ps and a goroutine
 * that starts itself anew for ever do not get into one another's way.
 *
 * Catches: a deadlock between pause and resize; a goroutine left behind in the queue of a P that
 * went. (Then this hangs.)
 */
#include <errno.h>
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"

static _Atomic bool stop;
static _Atomic long hops;
static ant_waitgroup working, hopping;

static void hop(void *arg)
{
    atomic_fetch_add(&hops, 1);
    if (atomic_load(&stop))
        ant_waitgroup_done(&hopping);
    else
        CHECK_INT(ant_go(hop, NULL), 0);
}

static void dump(void *arg)
{
    int fd = open("/dev/null", O_WRONLY);
    int done = 0;

    CHECK(fd >= 0);
    for (int i = 0; i < test_scale(200); i++) {
        int err = ant_dump(fd);

        CHECK(err == 0 || err == -EAGAIN); /* not within a second: a busy machine */
        done += err == 0;
    }
    CHECK(done > 0);
    close(fd);
    ant_waitgroup_done(&working);
}

static void resize(void *arg)
{
    int procs = ant_procs();

    for (int i = 0; i < test_scale(2000); i++) {
        CHECK(ant_set_procs(i % 5 + 1) > 0);
        ant_yield();
    }
    CHECK(ant_set_procs(procs) > 0);
    CHECK_INT(ant_procs(), procs);
    ant_waitgroup_done(&working);
}

static int run(void *arg)
{
    long seen;

    ant_waitgroup_add(&hopping, 1);
    ant_waitgroup_add(&working, 2);
    CHECK_INT(ant_go(hop, NULL), 0);
    CHECK_INT(ant_go(dump, NULL), 0);
    CHECK_INT(ant_go(resize, NULL), 0);
    ant_waitgroup_wait(&working);
    seen = atomic_load(&hops);
    while (atomic_load(&hops) == seen)
        ant_yield();
    atomic_store(&stop, true);
    ant_waitgroup_wait(&hopping);
    return 0;
}

TEST(go_stop_the_world_deadlock)
{
    return ant_run(run, NULL, NULL);
}
