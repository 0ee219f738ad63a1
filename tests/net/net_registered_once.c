/* net_registered_once - a descriptor is told to epoll when it becomes a handle, and never again: not at
 * waits, not at deadlines; and taken out when it is closed, if at all.
 *
 * Catches: a system call for each wait. */
#include <sys/epoll.h>
#include <sys/syscall.h>

#include "net_help.h"

enum { ROUND_TRIPS = 200 };

static _Atomic int added, changed;

/* Instead of libc's. */
int epoll_ctl(int epoll, int op, int fd, struct epoll_event *event)
{
    if (op != EPOLL_CTL_DEL)
        atomic_fetch_add(op == EPOLL_CTL_ADD ? &added : &changed, 1);
    return (int)syscall(SYS_epoll_ctl, epoll, op, fd, event);
}

static void answer(void *arg)
{
    ant_io io = *(ant_io *)arg;
    char c;

    while (ant_read(io, &c, 1) == 1)
        CHECK_INT(ant_write(io, &c, 1), 1);
    CHECK_INT(ant_close(io), 0);
}

static int run(void *arg)
{
    ant_io ends[2];
    int before;
    char c;

    tcp_pair(ends);
    before = atomic_load(&added);
    CHECK(before >= 3); /* a listener too */
    CHECK_INT(ant_go_copy(answer, &ends[1], sizeof ends[1]), 0);
    for (int i = 0; i < ROUND_TRIPS; i++) {
        CHECK_INT(ant_set_read_deadline(ends[0], i % 2 ? ant_now() + 100 * ANT_SECOND : 0), 0);
        CHECK_INT(ant_write(ends[0], "x", 1), 1);
        CHECK_INT(ant_read(ends[0], &c, 1), 1);
    }
    CHECK_INT(ant_close(ends[0]), 0);
    CHECK_INT(atomic_load(&added), before);
    CHECK_INT(atomic_load(&changed), 0);
    return 0;
}

TEST(net_registered_once)
{
    return run_and_check_leaks(run);
}
