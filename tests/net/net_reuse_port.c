/* Two listeners share a port, and what comes: every client is served by one of them. Without the
 * option the second one gets -EADDRINUSE. */
#include "net_help.h"

enum { CLIENTS = 40 };

static _Atomic int served;
static ant_waitgroup wg;

static void serve(void *arg)
{
    ant_io listener = *(ant_io *)arg, io;
    int err;

    while ((err = ant_accept(listener, &io)) == 0) {
        CHECK_INT(ant_write(io, "x", 1), 1);
        CHECK_INT(ant_close(io), 0);
        atomic_fetch_add(&served, 1);
    }
    CHECK_INT(err, ANT_ECLOSED);
    ant_waitgroup_done(&wg);
}

static int run(void *arg)
{
    ant_listen_options shared = {.reuse_port = true};
    char address[ANT_ADDR_TEXT], same[ANT_ADDR_TEXT], c;
    ant_io listeners[2], io;

    atomic_store(&served, 0);
    listeners[0] = listen_at("tcp4", "127.0.0.1:0", &shared, address);
    CHECK_INT(ant_listen(&io, "tcp4", address, NULL), -EADDRINUSE);
    listeners[1] = listen_at("tcp4", address, &shared, same);
    CHECK_STR(same, address);
    ant_waitgroup_add(&wg, 2);
    CHECK_INT(ant_go(serve, &listeners[0]), 0);
    CHECK_INT(ant_go(serve, &listeners[1]), 0);
    for (int i = 0; i < CLIENTS; i++) {
        CHECK_INT(ant_dial(&io, "tcp", address), 0);
        CHECK_INT(ant_read(io, &c, 1), 1);
        CHECK_INT(ant_read(io, &c, 1), 0);
        CHECK_INT(ant_close(io), 0);
    }
    CHECK_INT(ant_close(listeners[0]), 0);
    CHECK_INT(ant_close(listeners[1]), 0);
    ant_waitgroup_wait(&wg);
    CHECK_INT(atomic_load(&served), CLIENTS);
    return 0;
}

TEST(net_reuse_port)
{
    return run_and_check_leaks(run);
}
