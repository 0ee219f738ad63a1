/* An echo server and its clients, on TCP, IPv4 and IPv6, and on a Unix socket: all bytes come back,
 * also when there are more than the socket can hold at once. */
#include <errno.h>
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"

enum { ROUNDS = 20, BIG = 1 << 20 };

static ant_waitgroup wg;

static void serve(void *arg)
{
    ant_io io = *(ant_io *)arg;
    char buf[4096];
    ssize_t n;

    while ((n = ant_read(io, buf, sizeof buf)) > 0)
        CHECK_INT(ant_write(io, buf, (size_t)n), n);
    CHECK_INT(n, 0);
    CHECK_INT(ant_close(io), 0);
    ant_waitgroup_done(&wg);
}

static void accept_all(void *arg)
{
    ant_io listener = *(ant_io *)arg, io;
    int err;

    while ((err = ant_accept(listener, &io)) == 0) {
        ant_waitgroup_add(&wg, 1);
        CHECK_INT(ant_go_copy(serve, &io, sizeof io), 0);
    }
    CHECK_INT(err, ANT_ECLOSED);
    ant_waitgroup_done(&wg);
}

struct where {
    const char *network;
    char address[ANT_ADDR_TEXT];
};

static char *big;

static void write_big(void *arg)
{
    CHECK_INT(ant_write(*(ant_io *)arg, big, BIG), BIG);
    ant_waitgroup_done(&wg);
}

static void client(void *arg)
{
    struct where *where = arg;
    char out[600], in[600];
    ant_io io;

    CHECK_INT(ant_dial(&io, where->network, where->address), 0);
    for (int i = 0; i < ROUNDS; i++) {
        memset(out, i, sizeof out);
        CHECK_INT(ant_write(io, out, sizeof out), sizeof out);
        CHECK_INT(ant_read_full(io, in, sizeof in), sizeof in);
        CHECK(!memcmp(in, out, sizeof in));
    }
    ant_waitgroup_add(&wg, 1);
    CHECK_INT(ant_go_copy(write_big, &io, sizeof io), 0);
    for (int left = BIG; left > 0;) {
        ssize_t n = ant_read(io, in, sizeof in);

        CHECK(n > 0);
        left -= (int)n;
    }
    CHECK_INT(ant_shutdown(io, 1), 0);
    CHECK_INT(ant_read(io, in, sizeof in), 0);
    CHECK_INT(ant_close(io), 0);
    CHECK_INT(ant_close(io), ANT_ECLOSED);
    CHECK_INT(ant_read(io, in, sizeof in), ANT_ECLOSED);
    ant_waitgroup_done(&wg);
}

static void check(const char *network, const char *address)
{
    struct where where = {.network = network};
    int clients = test_is_slow() ? 5 : 20;
    ant_addr addr;
    ant_io listener;
    int err = ant_listen(&listener, network, address, NULL);

    if (err == -EAFNOSUPPORT || err == -EADDRNOTAVAIL) /* a machine without IPv6 */
        return;
    CHECK_INT(err, 0);
    CHECK_INT(ant_local_addr(listener, &addr), 0);
    CHECK(ant_addr_text(&addr, where.address, sizeof where.address) > 0);
    ant_waitgroup_add(&wg, 1);
    CHECK_INT(ant_go_copy(accept_all, &listener, sizeof listener), 0);
    ant_waitgroup_add(&wg, clients);
    for (int i = 0; i < clients; i++)
        CHECK_INT(ant_go(client, &where), 0);
    ant_sleep(10 * ANT_MILLISECOND);
    while (ant_count() > 2)
        ant_sleep(ANT_MILLISECOND);
    CHECK_INT(ant_close(listener), 0);
    ant_waitgroup_wait(&wg);
}

static int run(void *arg)
{
    char name[64];

    check("tcp4", "127.0.0.1:0");
    check("tcp6", "[::1]:0");
    snprintf(name, sizeof name, "@anthill-net-echo-%d", getpid());
    check("unix", name);
    return 0;
}

TEST(net_echo)
{
    struct test_resources before;

    big = test_memory(BIG);
    CHECK_INT(ant_run(run, NULL, NULL), 0);
    before = test_resources_now();
    CHECK_INT(ant_run(run, NULL, NULL), 0);
    test_resources_check(&before, 2);
    return 0;
}
