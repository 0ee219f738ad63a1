/* errno is as it was after every call on descriptors, whether it succeeds, fails or has waited, in a
 * goroutine and in a thread; also if the goroutine goes on in another thread, whose errno is then not
 * touched. */
#include <poll.h>
#include <sys/uio.h>

#include "net_help.h"

enum { LOOKERS = 60 };

static ant_waitgroup wg;

/* Not inlined: the address of errno may be another one after a wait. */
static __attribute__((noinline)) int get_errno(void)
{
    __asm__ volatile("" ::: "memory");
    return errno;
}

static __attribute__((noinline)) void set_errno(int value)
{
    __asm__ volatile("" ::: "memory");
    errno = value;
}

#define KEEPS(call)                                                                                \
    do {                                                                                           \
        set_errno(4321);                                                                           \
        (void)(call);                                                                              \
        if (get_errno() != 4321)                                                                   \
            FAIL("%s set errno to %d", #call, get_errno());                                        \
    } while (0)

static void check_pair(ant_io ends[2])
{
    char buf[8] = "";
    struct iovec iov = {buf, 1};
    ant_addr addr;
    off_t offset = 0;

    KEEPS(ant_set_read_deadline(ends[0], ant_now() + ANT_MILLISECOND));
    KEEPS(ant_read(ends[0], buf, 1)); /* waits */
    KEEPS(ant_read(ends[0], buf, 1));
    KEEPS(ant_set_deadline(ends[0], 0));
    KEEPS(ant_write(ends[1], "abcdef", 6));
    KEEPS(ant_read(ends[0], buf, 1));
    KEEPS(ant_readv(ends[0], &iov, 1));
    KEEPS(ant_read_full(ends[0], buf, 4));
    KEEPS(ant_writev(ends[0], &iov, 1));
    KEEPS(ant_recv_from(ends[1], buf, 1, &addr));
    KEEPS(ant_send_to(ends[1], buf, 1, NULL));
    KEEPS(ant_pread(ends[0], buf, 1, 0));
    KEEPS(ant_pwrite(ends[0], buf, 1, 0));
    KEEPS(ant_sendfile(ends[0], ends[1], &offset, 1));
    KEEPS(ant_local_addr(ends[0], &addr));
    KEEPS(ant_peer_addr(ends[0], &addr));
    KEEPS(ant_addr_text(&addr, buf, 1));
    KEEPS(ant_poll(ant_io_fd(ends[0]), POLLIN | POLLOUT, -1));
    KEEPS(ant_poll(ant_io_fd(ends[1]), POLLIN, ANT_MILLISECOND));
    KEEPS(ant_poll(9999, POLLIN, ANT_MILLISECOND));
    KEEPS(ant_shutdown(ends[0], SHUT_WR));
    KEEPS(ant_shutdown(ends[0], 99));
    KEEPS(ant_write(ends[0], buf, 1));
    KEEPS(ant_close(ends[0]));
    KEEPS(ant_close(ends[0]));
    KEEPS(ant_close(ends[1]));
}

static void check_opening(void)
{
    char address[ANT_ADDR_TEXT];
    ant_io listener = listen_tcp(address), io, ends[2];
    ant_addr addrs[4];

    KEEPS(ant_pipe(ends));
    KEEPS(ant_write(ends[0], "x", 1));
    close_pair(ends);
    KEEPS(ant_open(&io, "/dev/null", O_RDONLY, 0));
    KEEPS(ant_close(io));
    KEEPS(ant_open(&io, "/no/such/file", O_RDONLY, 0));
    KEEPS(ant_io_from_fd(&io, -1));
    KEEPS(ant_io_from_fd(&io, 9999));
    KEEPS(ant_listen(&io, "tcp", address, NULL));
    KEEPS(ant_listen(&io, "tcp", "nothing", NULL));
    KEEPS(ant_dial(&io, "unix", "/no/such/socket"));
    KEEPS(ant_dial(&ends[0], "tcp", address));
    KEEPS(ant_accept(listener, &ends[1]));
    KEEPS(ant_resolve("tcp", "localhost:http", addrs, 4));
    KEEPS(ant_resolve("tcp", "127.0.0.1:99999999999999999999999", addrs, 4));
    check_pair(ends);
    KEEPS(ant_set_deadline(listener, ant_now() + ANT_MILLISECOND));
    KEEPS(ant_accept(listener, &io));
    KEEPS(ant_close(listener));
}

/* So many that they have to wait for their turn, and are moved. */
static void look_up(void *arg)
{
    ant_addr addrs[4];
    ant_io io;

    for (int i = 0; i < 5; i++) {
        KEEPS(ant_resolve("tcp", "localhost:80", addrs, 4));
        KEEPS(ant_open(&io, "/proc/self/exe", O_RDONLY, 0));
        KEEPS(ant_close(io));
        if (ant_listen(&io, "tcp", "localhost:0", NULL) == 0) {
            set_errno(4321);
            CHECK_INT(ant_close(io), 0);
            CHECK_INT(get_errno(), 4321);
        }
    }
    ant_waitgroup_done(&wg);
}

static void *check_all(void *arg)
{
    ant_io ends[2];

    check_opening();
    unix_pair(ends);
    check_pair(ends);
    return NULL;
}

static int run(void *arg)
{
    pthread_t other;

    check_all(NULL);
    CHECK_INT(pthread_create(&other, NULL, check_all, NULL), 0);
    pthread_join(other, NULL);
    ant_waitgroup_add(&wg, LOOKERS);
    for (int i = 0; i < LOOKERS; i++)
        CHECK_INT(ant_go(look_up, NULL), 0);
    ant_waitgroup_wait(&wg);
    return 0;
}

TEST(io_errno)
{
    return run_and_check_leaks(run);
}
