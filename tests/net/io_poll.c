/* ant_poll on descriptors that are not ours: timeout, readable, writable, both, hung up, always
 * ready, by two at the same time, again and again, closed; from a goroutine and from a thread.
 *
 * Catches: what stays registered with the poller when the wait is over, so that the next one fails
 * or wakes for nothing; a wake-up for the other direction that ends the wait. */
#include <poll.h>

#include "net_help.h"

struct polling {
    int fd, events, result;
    ant_waitgroup done;
};

static void do_poll(void *arg)
{
    struct polling *p = arg;

    p->result = ant_poll(p->fd, p->events, -1);
    ant_waitgroup_done(&p->done);
}

static void start(struct polling *p, int fd, int events)
{
    *p = (struct polling){.fd = fd, .events = events};
    ant_waitgroup_add(&p->done, 1);
    CHECK_INT(ant_go(do_poll, p), 0);
}

static int end(struct polling *p)
{
    ant_waitgroup_wait(&p->done);
    return p->result;
}

/* Reads as many bytes as there are; none is left. */
static void empty(int fd)
{
    char buf[4096];

    while (recv(fd, buf, sizeof buf, MSG_DONTWAIT) > 0)
        continue;
}

static void check_pair(const int fds[2])
{
    struct polling a, b;

    CHECK_INT(ant_poll(fds[0], POLLIN, 0), ANT_ETIMEOUT);
    CHECK_INT(ant_poll(fds[0], POLLIN, ANT_MILLISECOND), ANT_ETIMEOUT);
    CHECK_INT(ant_poll(fds[0], POLLIN, ANT_MILLISECOND), ANT_ETIMEOUT);
    CHECK_INT(ant_poll(fds[0], POLLOUT, -1), POLLOUT);
    CHECK_INT(ant_poll(fds[0], POLLIN | POLLOUT, -1), POLLOUT);

    start(&a, fds[0], POLLIN);
    start(&b, fds[0], POLLIN);
    await_waiters(2);
    CHECK_INT(write(fds[1], "x", 1), 1);
    CHECK_INT(end(&a), POLLIN);
    CHECK_INT(end(&b), POLLIN);
    CHECK_INT(ant_poll(fds[0], POLLIN | POLLOUT, ANT_HOUR), POLLIN | POLLOUT);
    empty(fds[0]);

    while (send(fds[0], "x", 1, MSG_DONTWAIT) == 1)
        continue;
    start(&a, fds[0], POLLOUT);
    start(&b, fds[0], POLLIN);
    await_waiters(2);
    empty(fds[1]);
    CHECK_INT(end(&a), POLLOUT);
    CHECK_INT(write(fds[1], "x", 1), 1);
    CHECK_INT(end(&b), POLLIN);
    empty(fds[0]);
}

static void check_often(const int fds[2])
{
    struct polling p;

    for (int i = 0; i < test_scale(1000); i++) {
        start(&p, fds[0], POLLIN);
        if (i % 2)
            await_waiters(1);
        CHECK_INT(write(fds[1], "x", 1), 1);
        CHECK_INT(end(&p), POLLIN);
        empty(fds[0]);
    }
}

static void check_hang_up(int fds[2])
{
    struct polling p;
    int n;

    start(&p, fds[0], POLLIN);
    await_waiters(1);
    close(fds[1]);
    n = end(&p);
    CHECK_INT(n & (POLLIN | POLLHUP), POLLIN | POLLHUP);
    close(fds[0]);
    CHECK_INT(ant_poll(fds[0], POLLIN, -1), -EBADF);
}

static void check_odd(void)
{
    int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);

    CHECK_INT(ant_poll(fd, POLLIN, -1), POLLIN);
    CHECK_INT(ant_poll(fd, 0, -1), -EINVAL);
    CHECK_INT(ant_poll(-1, POLLIN, -1), -EINVAL);
    close(fd);
    fd = open("/dev/null", O_RDWR | O_CLOEXEC);
    CHECK_INT(ant_poll(fd, POLLIN | POLLOUT, -1), POLLIN | POLLOUT);
    close(fd);
}

static void *check_all(void *arg)
{
    int fds[2];

    CHECK_INT(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds), 0);
    check_pair(fds);
    check_often(fds);
    CHECK_INT(fcntl(fds[0], F_GETFL) & O_NONBLOCK, 0); /* as it was */
    check_hang_up(fds);
    check_odd();
    return NULL;
}

static int run(void *arg)
{
    pthread_t other;

    check_all(NULL);
    CHECK_INT(pthread_create(&other, NULL, check_all, NULL), 0);
    pthread_join(other, NULL);
    return 0;
}

TEST(io_poll)
{
    return run_and_check_leaks(run);
}
