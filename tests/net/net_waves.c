/* 20,000 connections are opened and dropped in waves, closed by either side first, with a byte under
 * way or none: no descriptor is left.
 *
 * Catches: a place or descriptor that leaks, an event of a closed descriptor that harms the next. */
#include "net_help.h"

enum { CONNECTIONS = 20000, WAVE = 100 };

static ant_io listener;
static char address[ANT_ADDR_TEXT];
static ant_waitgroup wg;

/* By a reset, else the ports are used up, waiting for late packets. */
static void drop(ant_io io)
{
    struct linger none = {.l_onoff = 1, .l_linger = 0};

    CHECK_INT(setsockopt(ant_io_fd(io), SOL_SOCKET, SO_LINGER, &none, sizeof none), 0);
    CHECK_INT(ant_close(io), 0);
}

static void serve(void *arg)
{
    ant_io io;
    char c;

    CHECK_INT(ant_accept(listener, &io), 0);
    if (ant_read(io, &c, 1) == 1)
        ant_write(io, &c, 1);
    drop(io);
    ant_waitgroup_done(&wg);
}

static void client(void *arg)
{
    long i = (long)arg;
    ant_io io;
    char c = 'x';
    int err;

    err = ant_dial(&io, "tcp", address);
    if (err == 0) {
        if (i % 3)
            ant_write(io, &c, 1);
        if (i % 3 == 2)
            ant_read(io, &c, 1);
        drop(io);
    }
    CHECK_INT(err, 0);
    ant_waitgroup_done(&wg);
}

static int run(void *arg)
{
    listener = listen_tcp(address);
    for (int done = 0; done < test_scale(CONNECTIONS / 2); done += WAVE) {
        ant_waitgroup_add(&wg, 2 * WAVE);
        for (long i = 0; i < WAVE; i++) {
            CHECK_INT(ant_go(serve, NULL), 0);
            CHECK_INT(ant_go(client, (void *)i), 0);
        }
        ant_waitgroup_wait(&wg);
    }
    CHECK_INT(ant_close(listener), 0);
    return 0;
}

TEST(net_waves)
{
    return run_and_check_leaks(run);
}
