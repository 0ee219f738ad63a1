/* Standard output, which is not made non-blocking, as others may share it: a write of more than it holds
 * waits in the poller, so that its deadline, its context and a close end it; and what is written comes
 * whole. A pipe and a socket, by ant_write and by ant_writev.
 *
 * Catches: a write that blocks its thread in the kernel for ever, and SIGPIPE from a socket. */
#include <sys/uio.h>

#include "net_help.h"

enum { BIG = 4 << 20 };

static char *bytes, *got;
static int stdout_before;

/* Puts one end of a pair in the place of standard output; the other end is returned. */
static int replace_stdout(bool socket, ant_io *ret_io)
{
    int fds[2];

    CHECK_INT(dup2(stdout_before, STDOUT_FILENO), STDOUT_FILENO); /* else the pair might get it */
    CHECK_INT(socket ? socketpair(AF_UNIX, SOCK_STREAM, 0, fds) : pipe(fds), 0);
    CHECK_INT(dup2(fds[1], STDOUT_FILENO), STDOUT_FILENO);
    close(fds[1]);
    CHECK_INT(ant_io_from_fd(ret_io, STDOUT_FILENO), 0);
    CHECK_INT(fcntl(STDOUT_FILENO, F_GETFL) & O_NONBLOCK, 0);
    return fds[0];
}

static ssize_t put(ant_io io, bool by_writev, ant_ctx *ctx)
{
    const struct iovec parts[] = {{.iov_base = bytes, .iov_len = 0},
                                  {.iov_base = bytes, .iov_len = BIG}};
    ssize_t total = 0, n;

    if (!by_writev)
        return ant_write_ctx(io, bytes, BIG, ctx);
    while ((n = ant_writev_ctx(io, parts, 2, ctx)) > 0)
        total += n;
    return total > 0 ? total : n;
}

/* Some bytes, or none: on a busy machine the time may be over before there is no more room. */
static void check_gave_up(ssize_t n)
{
    CHECK(n == ANT_ETIMEOUT || (n > 0 && n < BIG));
}

static void check_gives_up(bool socket, bool by_writev)
{
    ant_io io;
    int other = replace_stdout(socket, &io);
    ant_ctx *ctx;

    CHECK_INT(ant_set_write_deadline(io, ant_now() + 10 * ANT_MILLISECOND), 0);
    check_gave_up(put(io, by_writev, NULL));
    check_gave_up(ant_write(io, bytes, BIG));
    CHECK_INT(ant_set_write_deadline(io, 0), 0);
    CHECK_INT(ant_ctx_with_timeout(&ctx, NULL, ANT_MILLISECOND), 0);
    check_gave_up(ant_write_ctx(io, bytes, BIG, ctx));
    ant_ctx_unref(ctx);
    close(other);
    if (socket) /* no signal */
        CHECK_INT(ant_write(io, bytes, 1), -EPIPE);
    CHECK_INT(ant_close(io), 0);
}

struct writing {
    ant_io io;
    ssize_t result;
    ant_waitgroup done;
};

static void write_big(void *arg)
{
    struct writing *w = arg;

    w->result = ant_write(w->io, bytes, BIG);
    ant_waitgroup_done(&w->done);
}

static void check_comes_whole(bool socket)
{
    struct writing w = {0};
    int other = replace_stdout(socket, &w.io);
    ant_io in;

    memset(got, 0, BIG);
    CHECK_INT(ant_io_from_fd(&in, other), 0);
    ant_waitgroup_add(&w.done, 1);
    CHECK_INT(ant_go(write_big, &w), 0);
    CHECK_INT(ant_read_full(in, got, BIG), BIG);
    ant_waitgroup_wait(&w.done);
    CHECK_INT(w.result, BIG);
    CHECK(!memcmp(got, bytes, BIG));

    ant_waitgroup_add(&w.done, 1); /* and a close wakes who waits */
    CHECK_INT(ant_go(write_big, &w), 0);
    await_waiters(1);
    CHECK_INT(ant_close(w.io), 0);
    ant_waitgroup_wait(&w.done);
    CHECK(w.result > 0 && w.result < BIG);
    CHECK_INT(ant_close(in), 0);
}

static int run(void *arg)
{
    for (int i = 0; i < 4; i++)
        check_gives_up(i & 1, i & 2);
    check_comes_whole(false);
    check_comes_whole(true);
    CHECK_INT(dup2(stdout_before, STDOUT_FILENO), STDOUT_FILENO);
    return 0;
}

TEST(io_stdout)
{
    bytes = test_memory(BIG);
    got = test_memory(BIG);
    for (int i = 0; i < BIG; i++)
        bytes[i] = (char)(i % 251);
    stdout_before = dup(STDOUT_FILENO);
    CHECK_INT(run_and_check_leaks(run), 0);
    close(stdout_before);
    return 0;
}
