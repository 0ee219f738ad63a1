/* The system has no room for what a socket is sent: the next read says -ENOBUFS, once, and the socket
 * goes on. A netlink socket is one where this can be had at will: each question is answered at once,
 * into a buffer that is small, and that nobody empties.
 *
 * Catches: an error that is taken for the end, or that uses up the event of what comes after it. */
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <net/if.h>

#include "net_help.h"

enum { QUESTIONS = 1000 };

static ant_waitgroup answered;

static void ask(ant_io io)
{
    struct {
        struct nlmsghdr header;
        struct ifinfomsg message;
    } question = {
        .header = {.nlmsg_len = sizeof question,
                   .nlmsg_type = RTM_GETLINK,
                   .nlmsg_flags = NLM_F_REQUEST},
        .message = {.ifi_index = (int)if_nametoindex("lo")},
    };

    CHECK_INT(ant_write(io, &question, sizeof question), sizeof question);
}

static void read_one(void *arg)
{
    ant_io *io = arg;
    char answer[16384];

    CHECK(ant_read(*io, answer, sizeof answer) > 0);
    ant_waitgroup_done(&answered);
}

static int run(void *arg)
{
    int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE), size = 4096;
    char answer[16384];
    ant_io io;

    CHECK(fd >= 0);
    CHECK_INT(setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &size, sizeof size), 0);
    CHECK_INT(ant_io_from_fd(&io, fd), 0);
    for (int i = 0; i < QUESTIONS; i++)
        ask(io);
    CHECK_INT(ant_read(io, answer, sizeof answer), -ENOBUFS);
    CHECK(ant_read(io, answer, sizeof answer) > 0);
    while (recv(fd, answer, sizeof answer, MSG_DONTWAIT) > 0)
        continue;

    ant_waitgroup_add(&answered, 1);
    CHECK_INT(ant_go(read_one, &io), 0);
    await_waiters(1);
    ask(io);
    ant_waitgroup_wait(&answered);
    CHECK_INT(ant_close(io), 0);
    return 0;
}

TEST(net_enobufs)
{
    return ant_run(run, NULL, NULL);
}
