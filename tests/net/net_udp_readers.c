/* Several goroutines and a thread read packets from one socket, each one packet a round: as many
 * packets are sent at once as there are readers, and all of them get one.
 *
 * Catches: one event for several packets wakes one reader only. */
#include "net_help.h"

enum { READERS = 7, ROUNDS = 400 };

static ant_io server;
static _Atomic int seen;
static ant_waitgroup wg;

static void receive(void *arg)
{
    unsigned char byte[2];

    CHECK_INT(ant_recv_from(server, byte, 2, NULL), 1);
    atomic_fetch_or(&seen, 1 << byte[0]);
    ant_waitgroup_done(&wg);
}

static void *thread(void *arg)
{
    receive(NULL);
    return NULL;
}

static void round_of(int i, ant_io client, const ant_addr *to)
{
    pthread_t other;

    atomic_store(&seen, 0);
    ant_waitgroup_add(&wg, READERS + 1);
    CHECK_INT(pthread_create(&other, NULL, thread, NULL), 0);
    for (int k = 0; k < READERS; k++)
        CHECK_INT(ant_go(receive, NULL), 0);
    if (i % 2)
        await_waiters(READERS + 1);
    for (unsigned char k = 0; k <= READERS; k++)
        CHECK_INT(ant_send_to(client, &k, 1, to), 1);
    ant_waitgroup_wait(&wg);
    CHECK_INT(atomic_load(&seen), (1 << (READERS + 1)) - 1);
    pthread_join(other, NULL);
}

static int run(void *arg)
{
    char address[ANT_ADDR_TEXT];
    ant_io client;
    ant_addr to;

    server = listen_at("udp4", "127.0.0.1:0", NULL, address);
    client = listen_at("udp4", "127.0.0.1:0", NULL, address);
    CHECK_INT(ant_local_addr(server, &to), 0);
    for (int i = 0; i < test_scale(ROUNDS); i++)
        round_of(i, client, &to);
    CHECK_INT(ant_close(server), 0);
    CHECK_INT(ant_close(client), 0);
    return 0;
}

TEST(net_udp_readers)
{
    return run_and_check_leaks(run);
}
