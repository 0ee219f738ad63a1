/* io.h - descriptors that goroutines wait for: reading, writing, deadlines; files and pipes.
 *
 * An ant_io is a handle for a descriptor that Anthill owns: a socket (net.h), a pipe, a file, or what
 * was handed over with ant_io_from_fd. Who waits for one parks, and its P runs others. A handle is a
 * value, to be copied freely; zero-filled it is none. After ant_close it is stale, and every
 * call with it, in whichever goroutine, returns ANT_ECLOSED: never does it mean another descriptor.
 *
 * Any number of goroutines may use one handle at the same time; a read or write is done by one of
 * them at a time only as far as the system call itself sees to that. Regular files cannot be waited
 * for: calls on them are blocking sections (go.h), of which at most 256 run at once for
 * goroutines; a context ends the wait for one's turn, but not the system call.
 *
 * All functions here may be called by any thread while the runtime runs. Where a comment says
 * "waits", a goroutine parks and any other thread sleeps. Returned are, besides what is named:
 * ANT_ECLOSED (also with a handle of a run that was stopped), -EBADF for a zero handle, -EINVAL,
 * ANT_ENOTRUNNING from what would make a handle or wait without one, and -errno as the system call of
 * that name sets it. The _ctx forms give up with ctx (NULL: never): ANT_ECANCELED, ANT_ETIMEOUT; if it
 * is done before, they do nothing, also where they would not have to wait.
 *
 * Undefined: a buffer that others use during the call; to close, or make blocking, a descriptor that is
 * Anthill's; a handle that was made up. */
#ifndef ANTHILL_IO_H
#define ANTHILL_IO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include <anthill/context.h>
#include <anthill/time.h>
#include <anthill/version.h>

struct iovec;

ANT_BEGIN_DECLS

typedef struct ant_io {
    struct ant__file *file;
    uint64_t serial;
} ant_io;

/* Hands fd over: it is made non-blocking (0, 1 and 2 are not, as others may share them), and
 * ant_close closes it. Does not wait. -EBADF: it is not open; -EEXIST: it was handed over before (of a
 * regular file that is not noticed, and is closed twice then); -ENOMEM, -EMFILE, -ENOSPC. After an
 * error fd stays the caller's, but may be non-blocking. */
ANT_API int ant_io_from_fd(ant_io *ret_io, int fd);

/* The descriptor, for ioctl, setsockopt and the like; it stays Anthill's, and its number means
 * something else once the handle is closed. Does not wait. */
ANT_API int ant_io_fd(ant_io io);

/* As open(2), with O_CLOEXEC. FIFOs and devices that can be waited for, are. Takes as long as open(2)
 * does, in a blocking section (go.h), which for a FIFO is until somebody opens the other end (not with
 * O_NONBLOCK or O_RDWR); neither a context nor a deadline ends it. Errors are those of open(2), and
 * -ENOSPC. */
ANT_API int ant_open(ant_io *ret_io, const char *path, int flags, mode_t mode);

/* A pipe: from ret_ends[0] is read what is written to ret_ends[1]. Does not wait. -EMFILE, -ENOMEM,
 * -ENOSPC. */
ANT_API int ant_pipe(ant_io ret_ends[2]);

/* Closes the descriptor. Who waits for it is woken and gets ANT_ECLOSED. Waits for nobody (the system may
 * take its time to close a regular file, which counts as a blocking section). When calls
 * are under way in other goroutines the descriptor itself goes when the last one is left. */
ANT_API int ant_close(ant_io io);

/* Reads what is there, up to size bytes; waits while there is nothing. 0: the end. Of size 0 it returns
 * 0 at once. */
ANT_API ssize_t ant_read(ant_io io, void *buf, size_t size);
ANT_API ssize_t ant_read_ctx(ant_io io, void *buf, size_t size, ant_ctx *ctx);
/* The same to several places. */
ANT_API ssize_t ant_readv(ant_io io, const struct iovec *iov, int n);
ANT_API ssize_t ant_readv_ctx(ant_io io, const struct iovec *iov, int n, ant_ctx *ctx);

/* Reads until size bytes are there; waits for them. Less only if the end came first, or an error, a
 * context that is done among them, after some bytes: the next call will tell it. */
ANT_API ssize_t ant_read_full(ant_io io, void *buf, size_t size);
ANT_API ssize_t ant_read_full_ctx(ant_io io, void *buf, size_t size, ant_ctx *ctx);

/* Writes all of it; waits while there is no room. Less only if an error, a context that is done among
 * them, came after some bytes: the next call will tell it. Writing to a socket or pipe that nobody
 * reads gives -EPIPE; for sockets there is no SIGPIPE. */
ANT_API ssize_t ant_write(ant_io io, const void *buf, size_t size);
ANT_API ssize_t ant_write_ctx(ant_io io, const void *buf, size_t size, ant_ctx *ctx);
/* The same from several places; may write less than all, but not nothing. */
ANT_API ssize_t ant_writev(ant_io io, const struct iovec *iov, int n);
ANT_API ssize_t ant_writev_ctx(ant_io io, const struct iovec *iov, int n, ant_ctx *ctx);

/* At a place in a file, without moving its offset; may move less than size, as pread(2) does. What is
 * said above about regular files holds. -ESPIPE for what has no places. */
ANT_API ssize_t ant_pread(ant_io io, void *buf, size_t size, off_t at);
ANT_API ssize_t ant_pread_ctx(ant_io io, void *buf, size_t size, off_t at, ant_ctx *ctx);
ANT_API ssize_t ant_pwrite(ant_io io, const void *buf, size_t size, off_t at);
ANT_API ssize_t ant_pwrite_ctx(ant_io io, const void *buf, size_t size, off_t at, ant_ctx *ctx);

/* Copies up to size bytes from a file, beginning at *offset, which is moved on, to a socket, without
 * their passing through the program. Waits while there is no room. Returns how many; less than size
 * at the end of the file, or if an error, a context that is done among them, came after some bytes:
 * the next call will tell it. */
ANT_API ssize_t ant_sendfile(ant_io to, ant_io from, off_t *offset, size_t size);
ANT_API ssize_t ant_sendfile_ctx(ant_io to, ant_io from, off_t *offset, size_t size, ant_ctx *ctx);

/* From that moment on reads, or writes, or both return ANT_ETIMEOUT, also those that wait now,
 * until another deadline is set. In the past: at once. 0: none. Regular files know no deadlines. Do
 * not wait. -EINVAL if when is negative. */
ANT_API int ant_set_deadline(ant_io io, ant_time when);
ANT_API int ant_set_read_deadline(ant_io io, ant_time when);
ANT_API int ant_set_write_deadline(ant_io io, ant_time when);

/* Waits until fd, which stays the caller's and as it is, can be read from (POLLIN) or written to
 * (POLLOUT): by this any library with a non-blocking mode can be driven by goroutines. events and
 * the value returned are those of poll(2). For a descriptor that is always ready, as regular files
 * are, returns at once. With timeout < 0 there is none; ANT_ETIMEOUT. -EINVAL if neither is asked for
 * or fd is negative; -EBADF; -EMFILE, -ENOMEM, -ENOSPC, as a duplicate of fd is made for the wait. What
 * is ready is told also if ctx is done. It is undefined what happens if fd is closed meanwhile. */
ANT_API int ant_poll(int fd, int events, ant_duration timeout);
ANT_API int ant_poll_ctx(int fd, int events, ant_ctx *ctx);

ANT_END_DECLS

#endif
