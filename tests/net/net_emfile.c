/* No descriptor is free: ant_accept returns -EMFILE, as do the other calls that need one, and the
 * connection that waits is accepted when there is one again.
 *
 * Catches: the event for the connection is used up by the failure, and the next accept sleeps; a
 * descriptor that leaks when the second of two cannot be had. */
#include "net_help.h"

enum { HELD = 4096 };

static int held[HELD], n;
static char address[ANT_ADDR_TEXT];

static void use_up(void)
{
    for (n = 0; n < HELD && (held[n] = dup(STDERR_FILENO)) >= 0; n++)
        continue;
    CHECK(n < HELD);
}

static void give_back(int how_many)
{
    for (; how_many > 0 && n > 0; how_many--)
        close(held[--n]);
}

static void accept_when_free(void *arg)
{
    ant_io *listener = arg, io;
    int err;

    while ((err = ant_accept(*listener, &io)) == -EMFILE)
        ant_sleep(100 * ANT_MICROSECOND);
    CHECK_INT(err, 0);
    CHECK_INT(ant_close(io), 0);
}

/* Takes the one descriptor that is free; an acceptor may have it at times. */
static void dial_with_last(void)
{
    ant_io io;
    int err;

    while ((err = ant_dial(&io, "tcp", address)) == -EMFILE)
        ant_yield();
    CHECK_INT(err, 0);
    ant_sleep(ANT_MILLISECOND);
    CHECK_INT(ant_close(io), 0);
}

static int run(void *arg)
{
    ant_io listener = listen_tcp(address), io, ends[2];

    CHECK_INT(ant_dial(&io, "tcp", address), 0);
    use_up();
    CHECK_INT(ant_accept(listener, &ends[0]), -EMFILE);
    CHECK_INT(ant_accept(listener, &ends[0]), -EMFILE);
    CHECK_INT(ant_pipe(ends), -EMFILE);
    CHECK_INT(ant_dial(&ends[0], "tcp", address), -EMFILE);
    CHECK_INT(ant_listen(&ends[0], "tcp", "127.0.0.1:0", NULL), -EMFILE);
    CHECK_INT(ant_open(&ends[0], "/dev/null", O_RDONLY, 0), -EMFILE);
    CHECK_INT(ant_poll(ant_io_fd(io), 1 /* POLLIN */, ANT_HOUR), -EMFILE);
    give_back(1);
    CHECK_INT(ant_pipe(ends), -EMFILE); /* needs two */
    CHECK_INT(ant_accept(listener, &ends[0]), 0);
    CHECK_INT(ant_close(ends[0]), 0);

    for (int i = 0; i < 3; i++)
        CHECK_INT(ant_go(accept_when_free, &listener), 0);
    await_waiters(3);
    for (int i = 0; i < 3; i++)
        dial_with_last();
    give_back(10);
    while (ant_count() > 1)
        ant_sleep(100 * ANT_MICROSECOND);
    give_back(HELD);
    CHECK_INT(ant_close(io), 0);
    CHECK_INT(ant_close(listener), 0);
    return 0;
}

TEST(net_emfile)
{
    CHECK_INT(setrlimit(RLIMIT_NOFILE, &(struct rlimit){256, 256}), 0);
    return run_and_check_leaks(run);
}
