/* Packets: echoed to who sent them, cut off when they are too long, empty ones, and between sockets
 * that are connected; on UDP of both families and on Unix sockets.
 *
 * Catches: a wrong sender, packets that are joined or split, an empty one taken for nothing. */
#include "net_help.h"

static ant_waitgroup wg;

static void echo(void *arg)
{
    ant_io io = *(ant_io *)arg;
    char buf[2000];
    ant_addr from;
    ssize_t n;

    while ((n = ant_recv_from(io, buf, sizeof buf, &from)) >= 0)
        CHECK_INT(ant_send_to(io, buf, (size_t)n, &from), n);
    CHECK_INT(n, ANT_ECLOSED);
    ant_waitgroup_done(&wg);
}

static void check_sizes(ant_io io, const ant_addr *to)
{
    char out[2000], in[2000];

    for (size_t size = 0; size <= 1400; size += 200) {
        memset(out, (int)size / 200, sizeof out);
        CHECK_INT(ant_send_to(io, out, size, to), size);
        CHECK_INT(ant_recv_from(io, in, sizeof in, NULL), size);
        CHECK(!memcmp(in, out, size));
    }
    CHECK_INT(ant_send_to(io, "abcdef", 6, to), 6);
    CHECK_INT(ant_send_to(io, "xy", 2, to), 2);
    CHECK_INT(ant_recv_from(io, in, 3, NULL), 3); /* the rest is gone */
    CHECK_INT(ant_recv_from(io, in, 3, NULL), 2);
    CHECK_INT(in[0], 'x');
}

static void check(const char *network, const char *where, const char *client_at)
{
    char address[ANT_ADDR_TEXT], text[ANT_ADDR_TEXT];
    ant_io server, client, connected;
    ant_addr to, from;
    char c;
    int err = ant_listen(&server, network, where, NULL);

    if (err == -EAFNOSUPPORT || err == -EADDRNOTAVAIL) /* a machine without IPv6 */
        return;
    CHECK_INT(err, 0);
    CHECK_INT(ant_local_addr(server, &to), 0);
    CHECK(ant_addr_text(&to, address, sizeof address) > 0);
    ant_waitgroup_add(&wg, 1);
    CHECK_INT(ant_go(echo, &server), 0);
    CHECK_INT(ant_listen(&client, network, client_at, NULL), 0);
    check_sizes(client, &to);
    CHECK_INT(ant_send_to(client, "x", 1, &to), 1);
    CHECK_INT(ant_recv_from(client, &c, 1, &from), 1);
    CHECK(ant_addr_text(&from, text, sizeof text) > 0);
    CHECK_STR(text, address);
    CHECK_INT(ant_set_read_deadline(client, 1), 0);
    CHECK_INT(ant_recv_from(client, &c, 1, &from), ANT_ETIMEOUT);
    if (strncmp(network, "udp", 3) == 0) { /* else the server could not answer */
        CHECK_INT(ant_dial(&connected, network, address), 0);
        CHECK_INT(ant_write(connected, "y", 1), 1);
        CHECK_INT(ant_read(connected, &c, 1), 1);
        check_sizes(connected, NULL);
        CHECK_INT(ant_peer_addr(connected, &from), 0);
        CHECK(ant_addr_text(&from, text, sizeof text) > 0);
        CHECK_STR(text, address);
        CHECK_INT(ant_close(connected), 0);
    }
    CHECK_INT(ant_close(client), 0);
    await_waiters(1);
    CHECK_INT(ant_close(server), 0);
    ant_waitgroup_wait(&wg);
}

static int run(void *arg)
{
    char server[64], client[64];

    check("udp4", "127.0.0.1:0", "127.0.0.1:0");
    check("udp6", "[::1]:0", "[::1]:0");
    snprintf(server, sizeof server, "@anthill-server-%d", getpid());
    snprintf(client, sizeof client, "@anthill-client-%d", getpid());
    check("unixgram", server, client);
    return 0;
}

TEST(net_udp)
{
    return run_and_check_leaks(run);
}
