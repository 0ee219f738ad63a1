/* Eight acceptors share a listener, and clients come in bursts of eight: all are accepted, and none
 * waits for another one to come.
 *
 * Catches: one event that stands for several connections wakes one acceptor, and the others sleep
 * on while there is something for them. */
#include "net_help.h"

enum { ACCEPTORS = 8, BURSTS = 300 };

static ant_io listener;
static char address[ANT_ADDR_TEXT];
static ant_waitgroup acceptors, served;

/* Keeps what it accepted for as long as the burst: the next one must be accepted by another. */
static void accept_one(void *arg)
{
    ant_io io;
    char c;

    CHECK_INT(ant_accept(listener, &io), 0);
    CHECK_INT(ant_write(io, "x", 1), 1);
    CHECK_INT(ant_read(io, &c, 1), 0);
    CHECK_INT(ant_close(io), 0);
    ant_waitgroup_done(&acceptors);
}

static void client(void *arg)
{
    ant_io *io = arg;
    char c;

    CHECK_INT(ant_dial(io, "tcp", address), 0);
    CHECK_INT(ant_read(*io, &c, 1), 1);
    ant_waitgroup_done(&served);
}

static void burst(int i)
{
    ant_io ios[ACCEPTORS];

    ant_waitgroup_add(&acceptors, ACCEPTORS);
    ant_waitgroup_add(&served, ACCEPTORS);
    for (int k = 0; k < ACCEPTORS; k++)
        CHECK_INT(ant_go(accept_one, NULL), 0);
    if (i % 2)
        await_waiters(ACCEPTORS);
    for (int k = 0; k < ACCEPTORS; k++)
        CHECK_INT(ant_go(client, &ios[k]), 0);
    ant_waitgroup_wait(&served);
    for (int k = 0; k < ACCEPTORS; k++)
        CHECK_INT(ant_close(ios[k]), 0);
    ant_waitgroup_wait(&acceptors);
}

static int run(void *arg)
{
    listener = listen_tcp(address);
    for (int i = 0; i < test_scale(BURSTS); i++)
        burst(i);
    CHECK_INT(ant_close(listener), 0);
    return 0;
}

TEST(net_acceptors)
{
    return run_and_check_leaks(run);
}
