/* The runtime is stopped while goroutines and threads wait in reads, accepts and polls, with deadlines
 * set, 30 times: the threads are woken with ANT_ECLOSED, no descriptor is left, and the next start
 * knows nothing of it.
 *
 * Catches: a thread that sleeps on, a descriptor or a place that leaks, a goroutine of the last run
 * that is woken in the next one. */
#include <poll.h>

#include "net_help.h"

enum { CYCLES = 30, GOROUTINES = 10, THREADS = 3 };

static ant_io ends[2], listener, file;
static char address[ANT_ADDR_TEXT];
static int foreign[2];

static void read_for_ever(void *arg)
{
    char c;

    ant_read(ends[0], &c, 1);
    FAIL("a read came back");
}

static void accept_for_ever(void *arg)
{
    ant_io io;

    ant_accept(listener, &io);
    FAIL("an accept came back");
}

static void poll_for_ever(void *arg)
{
    ant_poll(foreign[0], POLLIN, -1);
    FAIL("a poll came back");
}

static void *read_as_thread(void *arg)
{
    char c;

    CHECK_INT(ant_read(ends[0], &c, 1), ANT_ECLOSED);
    CHECK_INT(ant_read(ends[0], &c, 1), ANT_ECLOSED);
    return NULL;
}

static void *accept_as_thread(void *arg)
{
    ant_io io;

    CHECK_INT(ant_accept(listener, &io), ANT_ECLOSED);
    return NULL;
}

static void cycle(int i)
{
    pthread_t threads[2 * THREADS];
    char c;

    CHECK_INT(ant_start(NULL), 0);
    i % 2 ? tcp_pair(ends) : unix_pair(ends);
    listener = listen_tcp(address);
    CHECK_INT(ant_open(&file, "/proc/self/exe", O_RDONLY, 0), 0);
    for (int k = 0; k < GOROUTINES; k++) {
        CHECK_INT(ant_go(read_for_ever, NULL), 0);
        CHECK_INT(ant_go(accept_for_ever, NULL), 0);
        CHECK_INT(ant_go(poll_for_ever, NULL), 0);
    }
    for (int k = 0; k < THREADS; k++) {
        CHECK_INT(pthread_create(&threads[2 * k], NULL, read_as_thread, NULL), 0);
        CHECK_INT(pthread_create(&threads[2 * k + 1], NULL, accept_as_thread, NULL), 0);
    }
    CHECK_INT(ant_set_deadline(ends[0], ant_now() + ANT_HOUR), 0);
    await_waiters(3 * GOROUTINES + 2 * THREADS);
    CHECK_INT(ant_stop(), 0);
    for (int k = 0; k < 2 * THREADS; k++)
        pthread_join(threads[k], NULL);
    CHECK_INT(ant_read(ends[1], &c, 1), ANT_ECLOSED);
    CHECK_INT(ant_pread(file, &c, 1, 0), ANT_ECLOSED);
}

TEST(net_stop)
{
    struct test_resources before;

    CHECK_INT(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, foreign), 0);
    for (int i = 0; i < CYCLES; i++) {
        cycle(i);
        if (i == 1)
            before = test_resources_now();
    }
    test_resources_check(&before, 30);
    close(foreign[0]);
    close(foreign[1]);
    return 0;
}
