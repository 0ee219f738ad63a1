/* Reads of 0 bytes return 0 at once: where there is nothing, where a read has just found the end of what
 * there was, and where there is something, which stays. Likewise those at a place, with their error.
 *
 * Catches: a read of nothing that waits, or that takes a packet away. */
#include <sys/uio.h>

#include "net_help.h"

static void check_nothing(ant_io io)
{
    char c;
    struct iovec none = {.iov_base = &c};

    CHECK_INT(ant_read(io, &c, 0), 0);
    CHECK_INT(ant_read(io, NULL, 0), 0);
    CHECK_INT(ant_read_full(io, &c, 0), 0);
    CHECK_INT(ant_readv(io, &none, 1), 0);
    CHECK_INT(ant_readv(io, NULL, 0), 0);
}

static void check_stream(ant_io ends[2])
{
    char in[16];
    struct iovec parts[] = {{.iov_base = in, .iov_len = 8}, {.iov_base = in + 8, .iov_len = 8}};

    check_nothing(ends[1]);
    for (int i = 0; i < 3; i++) {
        CHECK_INT(ant_write(ends[0], "abc", 3), 3);
        check_nothing(ends[1]);
        /* short: what comes next is told by the next event */
        CHECK_INT(i == 1 ? ant_readv(ends[1], parts, 2) : ant_read(ends[1], in, sizeof in), 3);
        check_nothing(ends[1]);
        CHECK_INT(ant_pread(ends[1], in, sizeof in, 0), -ESPIPE);
    }
    close_pair(ends);
}

static void check_packets(void)
{
    char address[ANT_ADDR_TEXT], c = 0;
    ant_io server = listen_at("udp4", "127.0.0.1:0", NULL, address), client;

    check_nothing(server);
    CHECK_INT(ant_dial(&client, "udp", address), 0);
    CHECK_INT(ant_write(client, "x", 1), 1);
    check_nothing(server);
    CHECK_INT(ant_read(server, &c, 1), 1);
    CHECK_INT(c, 'x');
    CHECK_INT(ant_close(server), 0);
    CHECK_INT(ant_close(client), 0);
}

static int run(void *arg)
{
    ant_io ends[2];

    tcp_pair(ends);
    check_stream(ends);
    unix_pair(ends);
    check_stream(ends);
    CHECK_INT(ant_pipe(ends), 0);
    check_stream((ant_io[]){ends[1], ends[0]});
    check_packets();
    return 0;
}

TEST(net_read_nothing)
{
    return run_and_check_leaks(run);
}
