/* While the only P is with a goroutine that computes, and nobody else wants it, nobody looks for
 * descriptors but sysmon: what it finds is reason enough to take the P.
 *
 * Catches: a sysmon that does not poll. (Then the one that computes goes on for ever.) */
#include <pthread.h>
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"
#include "runtime/netpoll.h"

enum { ROUNDS = 5 };

static _Atomic int computing, got;
static int fds[2];

static void *write_when_computing(void *arg)
{
    for (int i = 1; i <= ROUNDS; i++) {
        while (atomic_load(&computing) < i)
            usleep(1000);
        CHECK_INT(write(fds[1], "x", 1), 1);
    }
    return NULL;
}

static void read_all(void *arg)
{
    char c;

    for (int i = 0; i < ROUNDS; i++) {
        CHECK_INT(ant_read(*(ant_io *)arg, &c, 1), 1);
        atomic_fetch_add(&got, 1);
    }
}

static int run(void *arg)
{
    pthread_t thread;
    ant_io io;

    CHECK_INT(pipe(fds), 0);
    CHECK_INT(ant_io_from_fd(&io, fds[0]), 0);
    CHECK_INT(ant_go(read_all, &io), 0);
    CHECK_INT(pthread_create(&thread, NULL, write_when_computing, NULL), 0);
    for (int i = 1; i <= ROUNDS; i++) {
        double deadline = test_now() + 40;

        ant_yield(); /* it waits for the descriptor now */
        atomic_store(&computing, i);
        while (atomic_load(&got) < i) {
            if (test_now() > deadline)
                FAIL("nobody looked for descriptors");
        }
    }
    CHECK_INT(pthread_join(thread, NULL), 0);
    CHECK_INT(ant_close(io), 0);
    close(fds[1]);
    return 0;
}

TEST(net_hog)
{
    CHECK_INT(ant_run(run, NULL, &(ant_config){.procs = 1}), 0);
    return 0;
}
