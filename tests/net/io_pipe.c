/* Pipes: bytes, the end, -EPIPE when nobody reads (with SIGPIPE ignored), and more bytes than a pipe
 * can hold; and a FIFO with two who open it, who wait for each other.
 *
 * Catches: a writer that sleeps though the reader has gone, a FIFO that keeps a P while it opens. */
#include <sys/stat.h>

#include "net_help.h"

enum { BIG = 4 << 20 };

static unsigned char *sent, *got;
static ant_waitgroup wg;

static void write_big(void *arg)
{
    ant_io io = *(ant_io *)arg;

    CHECK_INT(ant_write(io, sent, BIG), BIG);
    CHECK_INT(ant_close(io), 0);
    ant_waitgroup_done(&wg);
}

static void check_big(ant_io from, ant_io to)
{
    memset(got, 0, BIG);
    ant_waitgroup_add(&wg, 1);
    CHECK_INT(ant_go(write_big, &to), 0);
    CHECK_INT(ant_read_full(from, got, BIG), BIG);
    CHECK(!memcmp(got, sent, BIG));
    CHECK_INT(ant_read(from, got, 1), 0);
    ant_waitgroup_wait(&wg);
    CHECK_INT(ant_close(from), 0);
}

static void write_until_broken(void *arg)
{
    ant_io io = *(ant_io *)arg;
    ssize_t n = ant_write(io, sent, BIG);

    CHECK(n > 0 && n < BIG);
    CHECK_INT(ant_write(io, sent, 1), -EPIPE);
    ant_waitgroup_done(&wg);
}

static void check_ends(void)
{
    ant_io ends[2];
    struct reader r;
    char c;

    CHECK_INT(ant_pipe(ends), 0);
    CHECK_INT(ant_write(ends[0], "x", 1), -EBADF);
    CHECK_INT(ant_read(ends[1], &c, 1), -EBADF);
    reader_start(&r, ends[0], NULL);
    await_waiters(1);
    CHECK_INT(ant_close(ends[1]), 0);
    CHECK_INT(reader_end(&r), 0);
    CHECK_INT(ant_close(ends[0]), 0);

    CHECK_INT(ant_pipe(ends), 0);
    ant_waitgroup_add(&wg, 1);
    CHECK_INT(ant_go(write_until_broken, &ends[1]), 0);
    await_waiters(1);
    CHECK_INT(ant_close(ends[0]), 0);
    ant_waitgroup_wait(&wg);
    CHECK_INT(ant_close(ends[1]), 0);
}

struct opening {
    char path[64];
    ant_io io;
};

static void open_to_write(void *arg)
{
    struct opening *o = arg;

    CHECK_INT(ant_open(&o->io, o->path, O_WRONLY, 0), 0);
    ant_waitgroup_done(&wg);
}

static void check_fifo(void)
{
    struct opening o;
    ant_io from;

    snprintf(o.path, sizeof o.path, "/tmp/anthill-fifo-%d", getpid());
    CHECK_INT(mkfifo(o.path, 0600), 0);
    CHECK_INT(ant_open(&from, o.path, O_WRONLY | O_NONBLOCK, 0), -ENXIO);
    ant_waitgroup_add(&wg, 1);
    CHECK_INT(ant_go(open_to_write, &o), 0);
    CHECK_INT(ant_open(&from, o.path, O_RDONLY, 0), 0);
    ant_waitgroup_wait(&wg);
    CHECK_INT(unlink(o.path), 0);
    check_big(from, o.io);
}

static int run(void *arg)
{
    ant_io ends[2];

    for (size_t i = 0; i < BIG; i++)
        sent[i] = (unsigned char)(i * 11 + i / 241);
    check_ends();
    CHECK_INT(ant_pipe(ends), 0);
    check_big(ends[0], ends[1]);
    check_fifo();
    return 0;
}

TEST(io_pipe)
{
    signal(SIGPIPE, SIG_IGN);
    sent = test_memory(BIG);
    got = test_memory(BIG);
    return run_and_check_leaks(run);
}
