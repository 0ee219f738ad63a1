/* go_preemption_gc.c - goroutines that compute, and may not be interrupted, do not keep a pause of all
 * goroutines from coming about: a dump is made while they go on.
 *
 * Catches: a pause that waits for who is in user code. (Then no dump is made.)
 */
#include <errno.h>
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"

enum { HOGS = 5, DUMPS = 10 };

static _Atomic int computing;
static _Atomic bool stop;
static ant_waitgroup ended;

static void compute(void *arg)
{
    atomic_fetch_add(&computing, 1);
    while (!atomic_load_explicit(&stop, memory_order_relaxed))
        continue;
    ant_waitgroup_done(&ended);
}

static int run(void *arg)
{
    int fd = open("/dev/null", O_WRONLY | O_CLOEXEC), done = 0;

    CHECK(fd >= 0);
    ant_waitgroup_add(&ended, HOGS);
    for (int i = 0; i < HOGS; i++)
        CHECK_INT(ant_go(compute, NULL), 0);
    while (atomic_load(&computing) < HOGS)
        ant_sleep(ANT_MILLISECOND);
    for (int i = 0; i < DUMPS; i++) {
        int err = ant_dump(fd);

        CHECK(err == 0 || err == -EAGAIN); /* not within a second: a busy machine */
        done += err == 0;
    }
    CHECK(done > 0);
    atomic_store(&stop, true);
    ant_waitgroup_wait(&ended);
    close(fd);
    return 0;
}

TEST(go_preemption_gc)
{
    return ant_run(run, NULL, NULL);
}
