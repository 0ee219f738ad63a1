/* There is always somebody who looks for descriptors: with one P, whose only goroutine is tied to its
 * thread and waits for one; and with one whose goroutine sits in a blocking section while another
 * waits for one.
 *
 * Catches: a P that is laid aside with nobody asleep in the poller. (Then this hangs.) */
#include <pthread.h>
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"

static int fds[2];
static _Atomic bool got;

static void *write_later(void *arg)
{
    usleep(50000);
    CHECK_INT(write(fds[1], "x", 1), 1);
    return NULL;
}

static void read_one(void *arg)
{
    ant_io *io = arg;
    char c;

    CHECK_INT(ant_read(*io, &c, 1), 1);
    atomic_store(&got, true);
}

static int run(void *arg)
{
    pthread_t thread;
    ant_io io;

    CHECK_INT(pipe(fds), 0);
    CHECK_INT(ant_io_from_fd(&io, fds[0]), 0);
    CHECK_INT(pthread_create(&thread, NULL, write_later, NULL), 0);
    CHECK_INT(ant_lock_thread(), 0);
    read_one(&io);
    CHECK_INT(ant_unlock_thread(), 0);
    CHECK_INT(pthread_join(thread, NULL), 0);

    atomic_store(&got, false);
    CHECK_INT(ant_go(read_one, &io), 0);
    ant_yield();
    CHECK_INT(pthread_create(&thread, NULL, write_later, NULL), 0);
    ant_blocking_begin();
    while (!atomic_load(&got))
        usleep(1000);
    ant_blocking_end();
    CHECK_INT(pthread_join(thread, NULL), 0);
    close(fds[1]);
    return 0;
}

TEST(net_unattended)
{
    CHECK_INT(ant_run(run, NULL, NULL), 0);
    return 0;
}
