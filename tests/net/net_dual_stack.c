/* Who listens on no particular host: "tcp" and "udp" serve IPv4 and IPv6 alike, unless it is to be
 * IPv6 alone; "tcp4" and "tcp6" serve what they are called after.
 *
 * Catches: ipv6_only that is not handed to the system, a listener of one family that serves both, or
 * takes the port of the other. */
#include "net_help.h"

enum { TRIES = 50 };

static bool has_ipv6(void)
{
    ant_io io;
    int err = ant_listen(&io, "tcp6", "[::1]:0", NULL);

    if (err)
        return false;
    CHECK_INT(ant_close(io), 0);
    return true;
}

/* "host:port" with the port of another address. */
static const char *at_port(char text[ANT_ADDR_TEXT], const char *host, const char *address)
{
    snprintf(text, ANT_ADDR_TEXT, "%s%s", host, strrchr(address, ':'));
    return text;
}

/* The client is known to the listener as `from`. */
static void check_served(ant_io listener, const char *network, const char *address,
                         const char *from)
{
    char text[ANT_ADDR_TEXT];
    ant_io client, server;
    ant_addr peer;

    CHECK_INT(ant_dial(&client, network, address), 0);
    CHECK_INT(ant_accept(listener, &server), 0);
    CHECK_INT(ant_peer_addr(server, &peer), 0);
    CHECK(ant_addr_text(&peer, text, sizeof text) > 0);
    CHECK_HAS(text, from);
    CHECK_INT(ant_write(client, "x", 1), 1);
    CHECK_INT(ant_read(server, text, 1), 1);
    CHECK_INT(ant_close(client), 0);
    CHECK_INT(ant_close(server), 0);
}

static void check_both(void)
{
    char address[ANT_ADDR_TEXT], text[ANT_ADDR_TEXT];
    ant_io listener = listen_at("tcp", ":0", NULL, address), other;

    CHECK_HAS(address, "[::]:");
    check_served(listener, "tcp4", at_port(text, "127.0.0.1", address), "[::ffff:127.0.0.1]:");
    check_served(listener, "tcp6", at_port(text, "[::1]", address), "[::1]:");
    check_served(listener, "tcp", at_port(text, "", address), ":");
    CHECK_INT(ant_listen(&other, "tcp4", at_port(text, "", address), NULL), -EADDRINUSE);
    CHECK_INT(ant_close(listener), 0);
}

/* The other family's port of the same number is another one. Somebody else may have it: then with
 * another number. */
static void check_one(const char *network, const ant_listen_options *options)
{
    char address[ANT_ADDR_TEXT], text[ANT_ADDR_TEXT];
    ant_io six, four;
    int err = -EADDRINUSE;

    for (int i = 0; i < TRIES && err == -EADDRINUSE; i++) {
        six = listen_at(network, ":0", options, address);
        err = ant_listen(&four, "tcp4", at_port(text, "", address), NULL);
        if (err)
            CHECK_INT(ant_close(six), 0);
    }
    CHECK_INT(err, 0);
    check_served(six, "tcp6", at_port(text, "[::1]", address), "[::1]:");
    check_served(four, "tcp4", at_port(text, "127.0.0.1", address), "127.0.0.1:");
    CHECK_INT(ant_close(six), 0);
    CHECK_INT(ant_close(four), 0);
}

static void check_packets(void)
{
    char address[ANT_ADDR_TEXT], text[ANT_ADDR_TEXT], byte;
    const char *hosts[2] = {"127.0.0.1", "[::1]"};
    ant_io server = listen_at("udp", ":0", NULL, address), client;
    ant_addr from;

    for (int i = 0; i < 2; i++) {
        CHECK_INT(ant_dial(&client, "udp", at_port(text, hosts[i], address)), 0);
        CHECK_INT(ant_write(client, "a", 1), 1);
        CHECK_INT(ant_recv_from(server, &byte, 1, &from), 1);
        CHECK_INT(ant_send_to(server, "b", 1, &from), 1);
        CHECK_INT(ant_read(client, &byte, 1), 1);
        CHECK_INT(byte, 'b');
        CHECK_INT(ant_close(client), 0);
    }
    CHECK_INT(ant_close(server), 0);
}

static int run(void *arg)
{
    char address[ANT_ADDR_TEXT], text[ANT_ADDR_TEXT];
    ant_io four = listen_at("tcp4", ":0", NULL, address);

    CHECK_HAS(address, "0.0.0.0:");
    check_served(four, "tcp", at_port(text, "127.0.0.1", address), "127.0.0.1:");
    CHECK_INT(ant_close(four), 0);
    if (!has_ipv6()) {
        fprintf(stderr, "no ::1 on this machine: only IPv4 was tested\n");
        return 0;
    }
    check_both();
    check_one("tcp", &(ant_listen_options){.ipv6_only = true});
    check_one("tcp6", NULL);
    check_packets();
    return 0;
}

TEST(net_dual_stack)
{
    return run_and_check_leaks(run);
}
