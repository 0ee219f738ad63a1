/* poll.c - waiting for a descriptor that is not ours.
 *
 * What is registered is a duplicate, for as long as the wait: the descriptor itself may be known to
 * the poller already, since somebody else waits for it or it is one of our own. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include "net/io.h"

struct polling {
    struct ant__op op;
    int fd;
    int events;
};

static ssize_t call_poll(struct ant__op *op, int unused)
{
    struct polling *p = ant__container_of(op, struct polling, op);
    struct pollfd fd = {.fd = p->fd, .events = (short)p->events};
    int n = poll(&fd, 1, 0);

    return n < 0 ? -ant__errno() : n == 0 ? -EAGAIN : fd.revents;
}

static int poll_fd(struct polling *p)
{
    int dup = fcntl(p->fd, F_DUPFD_CLOEXEC, 3);
    ant_io io;
    ssize_t n;

    if (dup < 0)
        return -ant__errno();
    n = ant__file_new(&io, dup, ANT__FILE_POLLED);
    if (n) {
        close(dup);
        return n == -EPERM ? p->events & (POLLIN | POLLOUT) : (int)n;
    }
    n = ant__io_do(io, &p->op);
    ant_close(io);
    return (int)n;
}

int ant_poll_ctx(int fd, int events, ant_ctx *ctx)
{
    struct polling p = {.op = {.call = call_poll, .ctx = ctx}, .fd = fd, .events = events};
    int saved = ant__errno(), n;

    if (fd < 0 || !(events & (POLLIN | POLLOUT)))
        return -EINVAL;
    if (ant_procs() == 0)
        return ANT_ENOTRUNNING;
    n = (int)call_poll(&p.op, fd);
    if (n == -EAGAIN || n == -EINTR)
        n = poll_fd(&p);
    ant__errno_set(saved);
    return n < 0 ? n : n & POLLNVAL ? -EBADF : n;
}

int ant_poll(int fd, int events, ant_duration timeout)
{
    ant_ctx *ctx = NULL;
    int n;

    if (timeout >= 0) {
        n = ant_ctx_with_timeout(&ctx, NULL, timeout);
        if (n)
            return n;
    }
    n = ant_poll_ctx(fd, events, ctx);
    ant_ctx_cancel(ctx);
    ant_ctx_unref(ctx);
    return n;
}
