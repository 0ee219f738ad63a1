/* Connections of Unix sockets, of streams and of packets, by a path and by a name without a file:
 * packets stay apart, a path is not removed and cannot be listened at twice.
 *
 * Catches: packets that are joined, an address that is a byte too long or short. */
#include "net_help.h"

static void check_packets(ant_io ends[2])
{
    char buf[16];

    CHECK_INT(ant_write(ends[0], "abc", 3), 3);
    CHECK_INT(ant_write(ends[0], "defg", 4), 4);
    CHECK_INT(ant_read(ends[1], buf, sizeof buf), 3);
    CHECK_INT(ant_read(ends[1], buf, 2), 2); /* the rest is gone */
    CHECK_INT(ant_write(ends[1], "x", 1), 1);
    CHECK_INT(ant_read(ends[0], buf, sizeof buf), 1);
}

static void check(const char *network, const char *where)
{
    char address[ANT_ADDR_TEXT];
    ant_io listener = listen_at(network, where, NULL, address), ends[2], other;
    char c;

    CHECK_STR(address, where);
    CHECK_INT(ant_listen(&other, network, where, NULL), -EADDRINUSE);
    CHECK_INT(ant_dial(&ends[0], network, where), 0);
    CHECK_INT(ant_accept(listener, &ends[1]), 0);
    if (strcmp(network, "unixpacket") == 0)
        check_packets(ends);
    CHECK_INT(ant_close(ends[0]), 0);
    CHECK_INT(ant_read(ends[1], &c, 1), 0);
    CHECK_INT(ant_write(ends[1], &c, 1), -EPIPE);
    CHECK_INT(ant_close(ends[1]), 0);
    CHECK_INT(ant_close(listener), 0);
    if (where[0] != '@') {
        CHECK_INT(ant_listen(&other, network, where, NULL), -EADDRINUSE);
        CHECK_INT(ant_dial(&other, network, where), -ECONNREFUSED);
        CHECK_INT(unlink(where), 0);
    }
}

static int run(void *arg)
{
    char name[64], path[64];

    snprintf(name, sizeof name, "@anthill-packet-%d", getpid());
    snprintf(path, sizeof path, "/tmp/anthill-packet-%d", getpid());
    check("unix", name);
    check("unix", path);
    check("unixpacket", name);
    check("unixpacket", path);
    return 0;
}

TEST(net_unixpacket)
{
    return run_and_check_leaks(run);
}
