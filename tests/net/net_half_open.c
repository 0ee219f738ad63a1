/* The other side goes: it closes, it resets, it shuts one direction down. Reads tell the end or the
 * reset, writes -EPIPE or -ECONNRESET, and no signal comes, from ant_sendfile neither.
 *
 * Catches: a waiter that the end does not wake; SIGPIPE, which ends this program. */
#include <sys/mman.h>

#include "net_help.h"

static void check_end(ant_io ends[2])
{
    struct reader readers[5];
    char c;

    for (int i = 0; i < 5; i++)
        reader_start(&readers[i], ends[0], NULL);
    await_waiters(5);
    CHECK_INT(ant_close(ends[1]), 0);
    for (int i = 0; i < 5; i++)
        CHECK_INT(reader_end(&readers[i]), 0);
    CHECK_INT(ant_read(ends[0], &c, 1), 0);
    CHECK_INT(ant_close(ends[0]), 0);
}

static void reset(ant_io io)
{
    struct linger none = {.l_onoff = 1, .l_linger = 0};

    CHECK_INT(setsockopt(ant_io_fd(io), SOL_SOCKET, SO_LINGER, &none, sizeof none), 0);
    CHECK_INT(ant_close(io), 0);
}

static bool is_broken(ssize_t n)
{
    return n == -EPIPE || n == -ECONNRESET;
}

static void check_reset(void)
{
    struct reader r;
    ant_io ends[2], file;
    off_t offset = 0;
    char c;

    tcp_pair(ends);
    reader_start(&r, ends[0], NULL);
    await_waiters(1);
    reset(ends[1]);
    CHECK_INT(reader_end(&r), -ECONNRESET);
    CHECK_INT(ant_read(ends[0], &c, 1), 0);
    CHECK(is_broken(ant_write(ends[0], "x", 1)));
    CHECK(is_broken(ant_write(ends[0], "x", 1)));
    CHECK_INT(ant_pwrite(ends[0], "x", 1, 0), -ESPIPE);
    CHECK_INT(ant_open(&file, "/proc/self/exe", O_RDONLY, 0), 0);
    CHECK_INT(ant_sendfile(ends[0], file, &offset, 100), -EPIPE);
    CHECK_INT(offset, 0);
    CHECK_INT(ant_close(file), 0);
    CHECK_INT(ant_close(ends[0]), 0);
}

/* The first part of the file is sent and answered by a reset, the next one cannot be. */
static void check_sendfile(void)
{
    ant_io ends[2], file;
    off_t offset = 0;
    int fd = memfd_create("file", MFD_CLOEXEC);
    ssize_t n;

    CHECK_INT(ftruncate(fd, 4 << 20), 0);
    CHECK_INT(ant_io_from_fd(&file, fd), 0);
    tcp_pair(ends);
    CHECK_INT(ant_close(ends[1]), 0);
    do
        n = ant_sendfile(ends[0], file, &offset, 4 << 20);
    while (n > 0);
    CHECK(is_broken(n));
    CHECK(offset < 4 << 20);
    CHECK_INT(ant_close(file), 0);
    CHECK_INT(ant_close(ends[0]), 0);
}

static void reset_later(void *arg)
{
    await_waiters(1);
    reset(*(ant_io *)arg);
}

/* A writer that waits for room is woken by the reset. */
static void check_reset_of_writer(void)
{
    enum { BIG = 64 << 20 };
    char *big = test_memory(BIG);
    ant_io ends[2];
    ssize_t n;

    tcp_pair(ends);
    CHECK_INT(ant_go_copy(reset_later, &ends[1], sizeof ends[1]), 0);
    n = ant_write(ends[0], big, BIG);
    CHECK(n > 0 && n < BIG);
    CHECK(is_broken(ant_write(ends[0], big, 1)));
    CHECK_INT(ant_close(ends[0]), 0);
}

static void check_shutdown(ant_io ends[2])
{
    struct reader r;
    char c;

    CHECK_INT(ant_write(ends[0], "ab", 2), 2);
    CHECK_INT(ant_shutdown(ends[0], SHUT_WR), 0);
    CHECK_INT(ant_write(ends[0], "x", 1), -EPIPE);
    CHECK_INT(ant_read(ends[1], &c, 1), 1);
    CHECK_INT(ant_read(ends[1], &c, 1), 1);
    CHECK_INT(ant_read(ends[1], &c, 1), 0);
    CHECK_INT(ant_write(ends[1], "y", 1), 1); /* the other way still works */
    CHECK_INT(ant_read(ends[0], &c, 1), 1);
    CHECK_INT(c, 'y');
    reader_start(&r, ends[0], NULL);
    await_waiters(1);
    CHECK_INT(ant_shutdown(ends[0], SHUT_RD), 0); /* wakes our own reader */
    CHECK_INT(reader_end(&r), 0);
    CHECK_INT(ant_shutdown(ends[0], 77), -EINVAL);
    close_pair(ends);
}

static int run(void *arg)
{
    ant_io ends[2];

    for (int i = 0; i < 2; i++) {
        i ? unix_pair(ends) : tcp_pair(ends);
        check_end(ends);
        i ? unix_pair(ends) : tcp_pair(ends);
        check_shutdown(ends);
    }
    check_reset();
    check_reset_of_writer();
    check_sendfile();
    return 0;
}

TEST(net_half_open)
{
    return run_and_check_leaks(run);
}
