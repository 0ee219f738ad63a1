/* Threads that are no goroutines listen, dial, accept, read and write among themselves while the
 * runtime runs, and get ANT_ECLOSED or ANT_ENOTRUNNING when it has stopped.
 *
 * Catches: nobody polls when only threads wait. */
#include "net_help.h"

enum { CLIENTS = 4, ROUNDS = 200 };

static char address[ANT_ADDR_TEXT];

static void *client(void *arg)
{
    char out[100] = "", in[100];
    ant_io io;

    CHECK_INT(ant_dial(&io, "tcp", address), 0);
    for (int i = 0; i < test_scale(ROUNDS); i++) {
        memset(out, i, sizeof out);
        CHECK_INT(ant_write(io, out, sizeof out), sizeof out);
        CHECK_INT(ant_read_full(io, in, sizeof in), sizeof in);
        CHECK(!memcmp(in, out, sizeof in));
    }
    CHECK_INT(ant_close(io), 0);
    return NULL;
}

static void *server(void *arg)
{
    char buf[64];
    ant_io io;
    ssize_t n;

    CHECK_INT(ant_accept(*(ant_io *)arg, &io), 0);
    while ((n = ant_read(io, buf, sizeof buf)) > 0)
        CHECK_INT(ant_write(io, buf, (size_t)n), n);
    CHECK_INT(n, 0);
    CHECK_INT(ant_close(io), 0);
    return NULL;
}

static void check_stopped(ant_io listener)
{
    ant_io io, ends[2];
    char c;
    int err;

    CHECK_INT(ant_accept(listener, &io), ANT_ECLOSED);
    CHECK_INT(ant_read(listener, &c, 1), ANT_ECLOSED);
    CHECK_INT(ant_set_deadline(listener, 1), ANT_ECLOSED);
    CHECK_INT(ant_close(listener), ANT_ECLOSED);
    CHECK_INT(ant_pipe(ends), ANT_ENOTRUNNING);
    CHECK_INT(ant_listen(&io, "tcp", "127.0.0.1:0", NULL), ANT_ENOTRUNNING);
    CHECK_INT(ant_open(&io, "/proc/self/exe", O_RDONLY, 0), ANT_ENOTRUNNING);
    CHECK_INT(ant_open(&io, "/dev/null", O_RDONLY, 0), ANT_ENOTRUNNING);
    err = ant_dial(&io, "tcp", address);
    CHECK(err == ANT_ENOTRUNNING || err == -ECONNREFUSED);
}

static void play(void)
{
    pthread_t threads[2 * CLIENTS];
    ant_io listener;

    CHECK_INT(ant_start(NULL), 0);
    listener = listen_tcp(address);
    for (int i = 0; i < CLIENTS; i++) {
        CHECK_INT(pthread_create(&threads[2 * i], NULL, server, &listener), 0);
        CHECK_INT(pthread_create(&threads[2 * i + 1], NULL, client, NULL), 0);
    }
    for (int i = 0; i < 2 * CLIENTS; i++)
        pthread_join(threads[i], NULL);
    CHECK_INT(ant_stop(), 0);
    check_stopped(listener);
}

TEST(net_threads)
{
    struct test_resources before;

    play();
    before = test_resources_now();
    play();
    test_resources_check(&before, 20);
    return 0;
}
