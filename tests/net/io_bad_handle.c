/* Every function with a handle that was closed gives ANT_ECLOSED, with a zero one -EBADF, and NULL
 * where it may not be gives -EINVAL; in a goroutine and in a thread.
 *
 * Catches: a function that does not look at its handle, or looks through a NULL pointer. */
#include <sys/uio.h>

#include "net_help.h"

static void check_transfers(ant_io io, ant_io good, int err)
{
    char buf[8] = "";
    struct iovec iov = {.iov_base = buf, .iov_len = sizeof buf};
    off_t offset = 0;

    CHECK_INT(ant_read(io, buf, 1), err);
    CHECK_INT(ant_read(io, buf, 0), err);
    CHECK_INT(ant_read_ctx(io, buf, 1, NULL), err);
    CHECK_INT(ant_readv(io, &iov, 1), err);
    CHECK_INT(ant_readv_ctx(io, &iov, 1, NULL), err);
    CHECK_INT(ant_read_full(io, buf, 8), err);
    CHECK_INT(ant_read_full(io, buf, 0), err);
    CHECK_INT(ant_read_full_ctx(io, buf, 8, NULL), err);
    CHECK_INT(ant_write(io, buf, 1), err);
    CHECK_INT(ant_write(io, buf, 0), err);
    CHECK_INT(ant_write_ctx(io, buf, 1, NULL), err);
    CHECK_INT(ant_writev(io, &iov, 1), err);
    CHECK_INT(ant_writev_ctx(io, &iov, 1, NULL), err);
    CHECK_INT(ant_pread(io, buf, 1, 0), err);
    CHECK_INT(ant_pread_ctx(io, buf, 1, 0, NULL), err);
    CHECK_INT(ant_pwrite(io, buf, 1, 0), err);
    CHECK_INT(ant_pwrite_ctx(io, buf, 1, 0, NULL), err);
    CHECK_INT(ant_sendfile(io, good, &offset, 8), err);
    CHECK_INT(ant_sendfile(good, io, &offset, 8), err);
    CHECK_INT(ant_sendfile_ctx(io, good, &offset, 8, NULL), err);
    CHECK_INT(ant_sendfile_ctx(good, io, &offset, 8, NULL), err);
}

static void check_handle(ant_io io, ant_io good, int err)
{
    char buf[8] = "";
    ant_addr addr;
    ant_io other;

    check_transfers(io, good, err);
    CHECK_INT(ant_io_fd(io), err);
    CHECK_INT(ant_close(io), err);
    CHECK_INT(ant_set_deadline(io, 1), err);
    CHECK_INT(ant_set_read_deadline(io, 0), err);
    CHECK_INT(ant_set_write_deadline(io, ant_now() + ANT_HOUR), err);
    CHECK_INT(ant_accept(io, &other), err);
    CHECK_INT(ant_accept_ctx(io, &other, NULL), err);
    CHECK_INT(ant_recv_from(io, buf, 1, &addr), err);
    CHECK_INT(ant_recv_from_ctx(io, buf, 1, &addr, NULL), err);
    CHECK_INT(ant_send_to(io, buf, 1, &addr), err);
    CHECK_INT(ant_send_to_ctx(io, buf, 1, &addr, NULL), err);
    CHECK_INT(ant_shutdown(io, SHUT_RDWR), err);
    CHECK_INT(ant_local_addr(io, &addr), err);
    CHECK_INT(ant_peer_addr(io, &addr), err);
}

static void check_null(ant_io io)
{
    char text[ANT_ADDR_TEXT];
    off_t negative = -1, offset = 0;
    ant_io other;

    CHECK_INT(ant_io_from_fd(NULL, 0), -EINVAL);
    CHECK_INT(ant_open(NULL, "/dev/null", O_RDONLY, 0), -EINVAL);
    CHECK_INT(ant_open(&other, NULL, O_RDONLY, 0), -EINVAL);
    CHECK_INT(ant_pipe(NULL), -EINVAL);
    CHECK_INT(ant_read(io, NULL, 1), -EINVAL);
    CHECK_INT(ant_readv(io, NULL, 1), -EINVAL);
    CHECK_INT(ant_readv(io, &(struct iovec){0}, -1), -EINVAL);
    CHECK_INT(ant_read_full(io, NULL, 1), -EINVAL);
    CHECK_INT(ant_write(io, NULL, 1), -EINVAL);
    CHECK_INT(ant_writev(io, NULL, 1), -EINVAL);
    CHECK_INT(ant_pread(io, NULL, 1, 0), -EINVAL);
    CHECK_INT(ant_pread(io, text, 1, -1), -EINVAL);
    CHECK_INT(ant_pwrite(io, NULL, 1, 0), -EINVAL);
    CHECK_INT(ant_sendfile(io, io, NULL, 1), -EINVAL);
    CHECK_INT(ant_sendfile(io, io, &negative, 1), -EINVAL);
    CHECK_INT(ant_sendfile(io, io, &offset, 0), 0);
}

static void check_null_of_sockets(ant_io io)
{
    char text[ANT_ADDR_TEXT];
    ant_addr addr = {0};
    ant_io other;

    CHECK_INT(ant_listen(NULL, "tcp", "127.0.0.1:0", NULL), -EINVAL);
    CHECK_INT(ant_listen(&other, "tcp", NULL, NULL), -EINVAL);
    CHECK_INT(ant_listen(&other, "tcp", ":0", &(ant_listen_options){.backlog = -1}), -EINVAL);
    CHECK_INT(ant_listen(&other, NULL, "127.0.0.1:0", NULL), -EAFNOSUPPORT);
    CHECK_INT(ant_accept(io, NULL), -EINVAL);
    CHECK_INT(ant_dial(NULL, "tcp", "127.0.0.1:1"), -EINVAL);
    CHECK_INT(ant_dial(&other, "tcp", NULL), -EINVAL);
    CHECK_INT(ant_dial(&other, NULL, "127.0.0.1:1"), -EAFNOSUPPORT);
    CHECK_INT(ant_recv_from(io, NULL, 1, NULL), -EINVAL);
    CHECK_INT(ant_send_to(io, NULL, 1, NULL), -EINVAL);
    CHECK_INT(ant_local_addr(io, NULL), -EINVAL);
    CHECK_INT(ant_peer_addr(io, NULL), -EINVAL);
    CHECK_INT(ant_addr_text(NULL, text, sizeof text), -EINVAL);
    CHECK_INT(ant_addr_text(&addr, NULL, 0), -EINVAL);
    CHECK_INT(ant_addr_text(&addr, text, sizeof text), -EAFNOSUPPORT);
    CHECK_INT(ant_resolve("tcp", NULL, &addr, 1), -EINVAL);
    CHECK_INT(ant_resolve("tcp", "127.0.0.1:1", NULL, 1), -EINVAL);
    CHECK_INT(ant_resolve("tcp", "127.0.0.1:1", &addr, 0), -EINVAL);
    CHECK_INT(ant_resolve(NULL, "127.0.0.1:1", &addr, 1), -EAFNOSUPPORT);
}

static void *check_all(void *arg)
{
    ant_io ends[2], file;

    CHECK_INT(ant_open(&file, "/proc/self/exe", O_RDONLY, 0), 0);
    unix_pair(ends);
    check_null(ends[0]);
    check_null_of_sockets(ends[0]);
    CHECK_INT(ant_close(ends[0]), 0);
    check_handle(ends[0], file, ANT_ECLOSED);
    check_handle((ant_io){0}, file, -EBADF);
    CHECK_INT(ant_close(ends[1]), 0);
    CHECK_INT(ant_close(file), 0);
    check_handle(file, file, ANT_ECLOSED);
    return NULL;
}

static int run(void *arg)
{
    pthread_t thread;

    check_all(NULL);
    CHECK_INT(pthread_create(&thread, NULL, check_all, NULL), 0);
    pthread_join(thread, NULL);
    return 0;
}

TEST(io_bad_handle)
{
    return run_and_check_leaks(run);
}
