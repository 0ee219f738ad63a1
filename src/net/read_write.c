/* read_write.c - the calls that move bytes: each a struct with its arguments, and one line that makes
 * the system call (see struct ant__op). */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include "net/io.h"

static ssize_t result(ssize_t n)
{
    return n >= 0 ? n : -ant__errno();
}

struct transfer {
    struct ant__op op;
    bool shared; /* must be asked whether it would block */
    bool socket;
    union {
        void *in;
        const void *out;
    } buf;
    const struct iovec *iov;
    int n;
    size_t size; /* of pread and pwrite: their op has none, as what is short tells nothing there */
    off_t at;
};

static struct transfer *transfer_of(struct ant__op *op)
{
    return ant__container_of(op, struct transfer, op);
}

static bool would_block(const struct transfer *t, int fd)
{
    struct pollfd p = {.fd = fd, .events = t->op.out ? POLLOUT : POLLIN};
    ssize_t n;

    if (!t->shared)
        return false;
    do
        n = result(poll(&p, 1, 0));
    while (n == -EINTR);
    return n == 0;
}

/* recv takes the kernel less than read. But only sockets know it; and asked for nothing it waits for
 * something, or takes a packet away, where read returns. */
static ssize_t call_read(struct ant__op *op, int fd)
{
    struct transfer *t = transfer_of(op);
    bool by_recv = t->socket && op->size > 0;

    if (would_block(t, fd))
        return -EAGAIN;
    return result(by_recv ? recv(fd, t->buf.in, op->size, 0) : read(fd, t->buf.in, op->size));
}

/* A descriptor that is not non-blocking. Of a pipe or a terminal that is ready we know only that so
 * many bytes would not wait. */
static ssize_t write_shared(const struct transfer *t, int fd, const void *bytes, size_t size)
{
    ssize_t n = send(fd, bytes, size, MSG_DONTWAIT | MSG_NOSIGNAL);

    if (n >= 0 || ant__errno() != ENOTSOCK)
        return result(n);
    if (would_block(t, fd))
        return -EAGAIN;
    return result(write(fd, bytes, size < PIPE_BUF ? size : PIPE_BUF));
}

static ssize_t writev_shared(const struct transfer *t, int fd)
{
    int i = 0;

    while (i < t->n - 1 && t->iov[i].iov_len == 0)
        i++;
    return t->n ? write_shared(t, fd, t->iov[i].iov_base, t->iov[i].iov_len) : 0;
}

/* send for the same reason as recv, and because it sends no SIGPIPE. */
static ssize_t call_write(struct ant__op *op, int fd)
{
    struct transfer *t = transfer_of(op);

    if (t->shared)
        return write_shared(t, fd, t->buf.out, op->size);
    return result(t->socket ? send(fd, t->buf.out, op->size, MSG_NOSIGNAL)
                            : write(fd, t->buf.out, op->size));
}

static ssize_t call_readv(struct ant__op *op, int fd)
{
    struct transfer *t = transfer_of(op);

    return would_block(t, fd) ? -EAGAIN : result(readv(fd, t->iov, t->n));
}

static ssize_t call_writev(struct ant__op *op, int fd)
{
    struct transfer *t = transfer_of(op);
    struct msghdr message = {.msg_iov = (struct iovec *)t->iov, .msg_iovlen = (size_t)t->n};

    if (t->shared)
        return writev_shared(t, fd);
    return result(t->socket ? sendmsg(fd, &message, MSG_NOSIGNAL) : writev(fd, t->iov, t->n));
}

static ssize_t call_pread(struct ant__op *op, int fd)
{
    struct transfer *t = transfer_of(op);

    return result(pread(fd, t->buf.in, t->size, t->at));
}

static ssize_t call_pwrite(struct ant__op *op, int fd)
{
    struct transfer *t = transfer_of(op);

    return result(pwrite(fd, t->buf.out, t->size, t->at));
}

static bool is_socket(const struct ant__file *f)
{
    return f->kind == ANT__FILE_TCP || f->kind == ANT__FILE_PACKETS || f->kind == ANT__FILE_SOCKET;
}

static ssize_t once(ant_io io, struct transfer *t)
{
    struct ant__file *f;
    ssize_t n = ant__file_ref(io, &f);

    if (n)
        return n;
    t->shared = f->kind == ANT__FILE_SHARED;
    t->socket = is_socket(f);
    n = ant__file_try(f, &t->op);
    ant__file_unref(f);
    return n;
}

/* Until all is moved, the end comes, or an error: the bytes before that count. */
static ssize_t all(ant_io io, struct transfer *t, size_t size)
{
    size_t done = 0;
    ssize_t n;

    do {
        t->op.size = size - done;
        n = once(io, t);
        if (n <= 0)
            break;
        done += (size_t)n;
        t->buf.in = (char *)t->buf.in + n;
    } while (done < size);
    return done > 0 ? (ssize_t)done : n;
}

ssize_t ant_read_ctx(ant_io io, void *buf, size_t size, ant_ctx *ctx)
{
    struct transfer t = {.op = {.call = call_read, .size = size, .ctx = ctx}, .buf.in = buf};

    return !buf && size ? -EINVAL : once(io, &t);
}

ssize_t ant_read(ant_io io, void *buf, size_t size)
{
    return ant_read_ctx(io, buf, size, NULL);
}

ssize_t ant_read_full_ctx(ant_io io, void *buf, size_t size, ant_ctx *ctx)
{
    struct transfer t = {.op = {.call = call_read, .ctx = ctx}, .buf.in = buf};

    return !buf && size ? -EINVAL : all(io, &t, size);
}

ssize_t ant_read_full(ant_io io, void *buf, size_t size)
{
    return ant_read_full_ctx(io, buf, size, NULL);
}

ssize_t ant_write_ctx(ant_io io, const void *buf, size_t size, ant_ctx *ctx)
{
    struct transfer t = {.op = {.call = call_write, .out = true, .ctx = ctx}, .buf.out = buf};

    return !buf && size ? -EINVAL : all(io, &t, size);
}

ssize_t ant_write(ant_io io, const void *buf, size_t size)
{
    return ant_write_ctx(io, buf, size, NULL);
}

ssize_t ant_readv_ctx(ant_io io, const struct iovec *iov, int n, ant_ctx *ctx)
{
    struct transfer t = {.op = {.call = call_readv, .ctx = ctx}, .iov = iov, .n = n};

    if (n < 0 || (!iov && n))
        return -EINVAL;
    for (int i = 0; i < n; i++)
        t.op.size += iov[i].iov_len;
    return once(io, &t);
}

ssize_t ant_readv(ant_io io, const struct iovec *iov, int n)
{
    return ant_readv_ctx(io, iov, n, NULL);
}

ssize_t ant_writev_ctx(ant_io io, const struct iovec *iov, int n, ant_ctx *ctx)
{
    struct transfer t = {.op = {.call = call_writev, .out = true, .ctx = ctx}, .iov = iov, .n = n};

    return n < 0 || (!iov && n) ? -EINVAL : once(io, &t);
}

ssize_t ant_writev(ant_io io, const struct iovec *iov, int n)
{
    return ant_writev_ctx(io, iov, n, NULL);
}

ssize_t ant_pread_ctx(ant_io io, void *buf, size_t size, off_t at, ant_ctx *ctx)
{
    struct transfer t = {
        .op = {.call = call_pread, .ctx = ctx}, .buf.in = buf, .size = size, .at = at};

    return (!buf && size) || at < 0 ? -EINVAL : once(io, &t);
}

ssize_t ant_pread(ant_io io, void *buf, size_t size, off_t at)
{
    return ant_pread_ctx(io, buf, size, at, NULL);
}

ssize_t ant_pwrite_ctx(ant_io io, const void *buf, size_t size, off_t at, ant_ctx *ctx)
{
    struct transfer t = {.op = {.call = call_pwrite, .out = true, .ctx = ctx},
                         .size = size,
                         .buf.out = buf,
                         .at = at};

    return (!buf && size) || at < 0 ? -EINVAL : once(io, &t);
}

ssize_t ant_pwrite(ant_io io, const void *buf, size_t size, off_t at)
{
    return ant_pwrite_ctx(io, buf, size, at, NULL);
}

/* ---- sendfile ---- */

struct sending {
    struct ant__op op;
    int from;
    off_t *offset;
    size_t left;
};

static bool is_pending(int signal)
{
    sigset_t pending;

    return sigpending(&pending) == 0 && sigismember(&pending, signal);
}

/* sendfile knows no MSG_NOSIGNAL. So SIGPIPE, which is sent to the thread, is kept off meanwhile, and
 * is taken if it came: also with a part that was sent, if the next one could not be. */
static ssize_t send_without_signal(struct sending *s, int fd)
{
    sigset_t pipe, before;
    bool was_pending;
    ssize_t n;

    sigemptyset(&pipe);
    sigaddset(&pipe, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &pipe, &before);
    was_pending = sigismember(&before, SIGPIPE) && is_pending(SIGPIPE);
    n = result(sendfile(fd, s->from, s->offset, s->left));
    if ((n == -EPIPE || (n >= 0 && (size_t)n < s->left)) && !was_pending)
        sigtimedwait(&pipe, NULL, &(struct timespec){0});
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return n;
}

static ssize_t call_sendfile(struct ant__op *op, int fd)
{
    struct sending *s = ant__container_of(op, struct sending, op);
    ssize_t n;

    ant_blocking_begin(); /* the file may have to be read from its disk */
    n = send_without_signal(s, fd);
    ant_blocking_end();
    return n;
}

ssize_t ant_sendfile_ctx(ant_io to, ant_io from, off_t *offset, size_t size, ant_ctx *ctx)
{
    struct sending s = {
        .op = {.call = call_sendfile, .out = true, .ctx = ctx}, .offset = offset, .left = size};
    struct ant__file *f;
    ssize_t n = offset && *offset >= 0 ? ant__file_ref(from, &f) : -EINVAL;

    if (n)
        return n;
    s.from = f->fd;
    while (s.left > 0 && (n = ant__io_do(to, &s.op)) > 0)
        s.left -= (size_t)n;
    ant__file_unref(f);
    return s.left < size ? (ssize_t)(size - s.left) : n;
}

ssize_t ant_sendfile(ant_io to, ant_io from, off_t *offset, size_t size)
{
    return ant_sendfile_ctx(to, from, offset, size, NULL);
}

/* ---- descriptors that come from elsewhere ---- */

static ant__noinline bool cannot_be_waited_for(int fd)
{
    struct stat st;

    return fstat(fd, &st) == 0 &&
           (S_ISREG(st.st_mode) || S_ISDIR(st.st_mode) || S_ISBLK(st.st_mode));
}

static ant__noinline enum ant__file_kind kind_of_socket(int fd)
{
    int type = 0, protocol = 0;
    socklen_t size = sizeof type;

    if (getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &size) != 0)
        return ANT__FILE_STREAM; /* it is none */
    if (type != SOCK_STREAM)
        return ANT__FILE_PACKETS;
    size = sizeof protocol;
    getsockopt(fd, SOL_SOCKET, SO_PROTOCOL, &protocol, &size);
    return protocol == IPPROTO_TCP ? ANT__FILE_TCP : ANT__FILE_SOCKET;
}

static int make_non_blocking(int fd)
{
    int flags = fcntl(fd, F_GETFL);

    return flags < 0 || fcntl(fd, F_SETFL, flags | O_NONBLOCK) < 0 ? -ant__errno() : 0;
}

static int from_fd(ant_io *ret_io, int fd)
{
    enum ant__file_kind kind;
    int err;

    if (cannot_be_waited_for(fd))
        return ant__file_new(ret_io, fd, ANT__FILE_REGULAR);
    kind = fd <= STDERR_FILENO ? ANT__FILE_SHARED : kind_of_socket(fd);
    err = kind == ANT__FILE_SHARED ? 0 : make_non_blocking(fd);
    if (!err)
        err = ant__file_new(ret_io, fd, kind);
    /* A device of the kind that is always ready. */
    return err == -EPERM ? ant__file_new(ret_io, fd, ANT__FILE_REGULAR) : err;
}

int ant_io_from_fd(ant_io *ret_io, int fd)
{
    int saved = ant__errno(), err;

    if (!ret_io)
        return -EINVAL;
    if (ant_procs() == 0)
        return ANT_ENOTRUNNING;
    err = fcntl(fd, F_GETFD) < 0 ? -EBADF : from_fd(ret_io, fd);
    ant__errno_set(saved);
    return err;
}

struct opening {
    ant_io *ret_io;
    const char *path;
    int flags;
    mode_t mode;
    int err;
};

/* Adopts it here, so that no descriptor is in nobody's hands when the goroutine is abandoned. */
static void open_blocking(void *arg)
{
    struct opening *o = arg;
    int fd = (int)result(open(o->path, o->flags | O_CLOEXEC, o->mode));

    o->err = fd < 0 ? fd : from_fd(o->ret_io, fd);
    if (o->err && fd >= 0)
        close(fd);
}

/* With O_NONBLOCK a FIFO opens without waiting for the other side, which for writing is an error. */
int ant_open(ant_io *ret_io, const char *path, int flags, mode_t mode)
{
    struct opening o = {.ret_io = ret_io, .path = path, .flags = flags, .mode = mode};
    int saved = ant__errno();

    if (!ret_io || !path)
        return -EINVAL;
    if (ant_procs() == 0)
        return ANT_ENOTRUNNING; /* before a file is made or cut off */
    ant_blocking(open_blocking, &o);
    ant__errno_set(saved);
    return o.err;
}

/* Both become handles, or both are closed. */
static int adopt_both(ant_io ret_ends[2], const int fds[2])
{
    int err = ant__file_new(&ret_ends[0], fds[0], ANT__FILE_STREAM);

    if (err) {
        close(fds[0]);
        close(fds[1]);
        return err;
    }
    err = ant__file_new(&ret_ends[1], fds[1], ANT__FILE_STREAM);
    if (err) {
        ant_close(ret_ends[0]);
        close(fds[1]);
    }
    return err;
}

int ant_pipe(ant_io ret_ends[2])
{
    int saved = ant__errno(), err, fds[2];

    if (!ret_ends)
        return -EINVAL;
    err = ant__pipe(fds, O_NONBLOCK);
    if (!err)
        err = adopt_both(ret_ends, fds);
    ant__errno_set(saved);
    return err;
}
