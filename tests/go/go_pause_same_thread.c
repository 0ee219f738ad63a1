/* go_pause_same_thread.c - a pause of all goroutines moves none of them: after it each is in the thread in
 * which it was, and so is the one that asked for it.
 *
 * Catches: a goroutine that a pause suspends, to be resumed by whoever comes first.
 */
#include <errno.h>
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"

enum { GOROUTINES = 4, DUMPS = 20 };

static _Atomic bool stop;
static ant_waitgroup ended;

/* Comes to the runtime all the time, where the pause meets it, but never suspends. */
static void stay(void *arg)
{
    while (!atomic_load(&stop)) {
        pid_t before = gettid();

        for (int i = 0; i < 1000; i++)
            CHECK(ant_count() > 0 && ant_procs() > 0);
        CHECK_INT(ant_chan_try_recv(arg, NULL), -EAGAIN);
        CHECK_INT(gettid(), before);
        ant_yield();
    }
    ant_waitgroup_done(&ended);
}

static int run(void *arg)
{
    int fd = open("/dev/null", O_WRONLY);
    ant_chan *empty;

    CHECK(fd >= 0);
    CHECK_INT(ant_chan_new(&empty, 0, 0), 0);
    ant_waitgroup_add(&ended, GOROUTINES);
    for (int i = 0; i < GOROUTINES; i++)
        CHECK_INT(ant_go(stay, empty), 0);
    for (int done = 0; done < DUMPS;) {
        pid_t before = gettid();
        int err = ant_dump(fd);

        CHECK(err == 0 || err == -EAGAIN); /* not within a second: a busy machine */
        CHECK_INT(gettid(), before);
        done += err == 0;
        ant_yield();
    }
    atomic_store(&stop, true);
    ant_waitgroup_wait(&ended);
    CHECK_INT(ant_chan_destroy(empty), 0);
    close(fd);
    return 0;
}

TEST(go_pause_same_thread)
{
    return ant_run(run, NULL, NULL);
}
