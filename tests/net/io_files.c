/* Files: read and written, at a place and at the offset; missing ones; those that were opened
 * elsewhere and handed over, of every kind; more readers at once than blocking sections are allowed.
 *
 * Catches: a regular file that is waited for, a descriptor that is closed though it could not be
 * handed over. */
#include "net_help.h"

enum { MANY = 600 };

static ant_waitgroup wg;

static void name_file(char name[64])
{
    snprintf(name, 64, "/tmp/anthill-files-%d", getpid());
}

static void check_file(void)
{
    char name[64], buf[16];
    ant_io io;

    name_file(name);
    CHECK_INT(ant_open(&io, name, O_RDONLY, 0), -ENOENT);
    CHECK_INT(ant_open(&io, name, O_RDWR | O_CREAT | O_EXCL, 0600), 0);
    CHECK_INT(fcntl(ant_io_fd(io), F_GETFD) & FD_CLOEXEC, FD_CLOEXEC);
    CHECK_INT(ant_write(io, "hello world", 11), 11);
    CHECK_INT(ant_read(io, buf, 1), 0);
    CHECK_INT(ant_pread(io, buf, 5, 6), 5);
    CHECK(!memcmp(buf, "world", 5));
    CHECK_INT(ant_pread(io, buf, 5, 100), 0);
    CHECK_INT(ant_pwrite(io, "J", 1, 0), 1);
    CHECK_INT(lseek(ant_io_fd(io), 0, SEEK_SET), 0);
    CHECK_INT(ant_read_full(io, buf, 16), 11);
    CHECK(!memcmp(buf, "Jello world", 11));
    CHECK_INT(ant_accept(io, &io), -ENOTSOCK);
    CHECK_INT(ant_shutdown(io, SHUT_WR), -ENOTSOCK);
    CHECK_INT(ant_close(io), 0);
    CHECK_INT(ant_open(&io, name, O_WRONLY, 0), 0);
    CHECK_INT(ant_read(io, buf, 1), -EBADF);
    CHECK_INT(ant_close(io), 0);
    CHECK_INT(unlink(name), 0);
    CHECK_INT(ant_open(&io, "/tmp", O_RDONLY | O_DIRECTORY, 0), 0);
    CHECK_INT(ant_read(io, buf, 1), -EISDIR);
    CHECK_INT(ant_close(io), 0);
}

static void check_handed_over(void)
{
    int fds[2], null = open("/dev/null", O_RDWR | O_CLOEXEC);
    ant_io io, other;
    char buf[4];

    CHECK_INT(ant_io_from_fd(&io, null), 0);
    CHECK_INT(ant_io_fd(io), null);
    CHECK_INT(ant_read(io, buf, 1), 0);
    CHECK_INT(ant_write(io, buf, 4), 4);
    CHECK_INT(ant_close(io), 0);
    CHECK_INT(close(null), -1); /* it is closed */

    CHECK_INT(ant_io_from_fd(&io, -1), -EBADF);
    CHECK_INT(ant_io_from_fd(&io, 9999), -EBADF);

    CHECK_INT(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds), 0);
    CHECK_INT(ant_io_from_fd(&io, fds[0]), 0);
    CHECK(fcntl(fds[0], F_GETFL) & O_NONBLOCK);
    CHECK_INT(ant_io_from_fd(&other, fds[0]), -EEXIST);
    CHECK_INT(write(fds[1], "abc", 3), 3);
    CHECK_INT(ant_read(io, buf, 4), 3);
    CHECK_INT(ant_pread(io, buf, 4, 0), -ESPIPE);
    CHECK_INT(ant_close(io), 0);
    CHECK_INT(read(fds[1], buf, 1), 0);
    close(fds[1]);
}

static void read_file(void *arg)
{
    char buf[4096];

    CHECK(ant_pread(*(ant_io *)arg, buf, sizeof buf, 0) > 0);
    ant_waitgroup_done(&wg);
}

static int run(void *arg)
{
    ant_io io;

    check_file();
    check_handed_over();
    CHECK_INT(ant_open(&io, "/proc/self/exe", O_RDONLY, 0), 0);
    ant_waitgroup_add(&wg, MANY);
    for (int i = 0; i < MANY; i++)
        CHECK_INT(ant_go(read_file, &io), 0);
    ant_waitgroup_wait(&wg);
    CHECK_INT(ant_close(io), 0);
    return 0;
}

TEST(io_files)
{
    return run_and_check_leaks(run);
}
