/* net_errors - the errors that net.h names and that bad use or a bad moment brings: packets that are too long
 * or go nowhere, sockets that are not connected, do not listen, or are none, a Unix socket at which too many
 * wait, a name server that fails. Each has its code, errno stays, and the sockets go on.
 *
 * Catches: another code than documented; a call that waits instead. */
#include <fcntl.h>
#include <netdb.h>

#include "net_help.h"

static _Atomic int answer;

/* Instead of libc's: numbers are none, and every name has the same answer. */
int getaddrinfo(const char *node, const char *service, const struct addrinfo *hints,
                struct addrinfo **res)
{
    if (hints->ai_flags & AI_NUMERICHOST)
        return EAI_NONAME;
    errno = ENFILE; /* counts with EAI_SYSTEM alone */
    return atomic_load(&answer);
}

static void check_resolve(int eai, int err)
{
    ant_addr addr;
    ant_io io;

    atomic_store(&answer, eai);
    CHECK_INT(ant_resolve("tcp", "somewhere:80", &addr, 1), err);
    CHECK_INT(ant_dial(&io, "tcp", "somewhere:80"), err);
    CHECK_INT(ant_listen(&io, "tcp", "somewhere:80", NULL), err);
}

static void check_names(void)
{
    check_resolve(EAI_AGAIN, -EAGAIN);
    check_resolve(EAI_MEMORY, -ENOMEM);
    check_resolve(EAI_SYSTEM, -ENFILE);
    check_resolve(EAI_FAIL, ANT_ENOTFOUND);
    check_resolve(EAI_NONAME, ANT_ENOTFOUND);
}

static ant_io listen_unix(const char *network, const char *name, const ant_listen_options *options)
{
    char where[64], text[ANT_ADDR_TEXT];

    snprintf(where, sizeof where, "@anthill-errors-%s-%d", name, getpid());
    return listen_at(network, where, options, text);
}

static void check_packets(void)
{
    static char big[1 << 20];
    ant_io a = listen_unix("unixgram", "a", NULL), b = listen_unix("unixgram", "b", NULL);
    ant_addr to, nobody;
    char c;

    CHECK_INT(ant_local_addr(b, &to), 0);
    CHECK_INT(ant_peer_addr(a, &nobody), -ENOTCONN);
    CHECK_INT(ant_send_to(a, "x", 1, NULL), -ENOTCONN);
    CHECK_INT(ant_write(a, "x", 1), -ENOTCONN);
    CHECK_INT(ant_send_to(a, big, sizeof big, &to), -EMSGSIZE);
    CHECK_INT(ant_send_to(a, "x", 1, &to), 1);
    CHECK_INT(ant_recv_from(b, &c, 1, NULL), 1);
    CHECK_INT(ant_send_to(a, NULL, 1, &to), -EINVAL);
    CHECK_INT(ant_recv_from(a, NULL, 1, NULL), -EINVAL);
    CHECK_INT(ant_close(b), 0);
    CHECK_INT(ant_send_to(a, "x", 1, &to), -ECONNREFUSED);
    CHECK_INT(ant_close(a), 0);
}

/* Not by tcp_pair and the like, which need numbers to be known. */
static ant_io udp(void)
{
    int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    ant_io io;

    CHECK(fd >= 0);
    CHECK_INT(ant_io_from_fd(&io, fd), 0);
    return io;
}

static void check_unconnected(void)
{
    static char big[100000];
    ant_io io = udp(), accepted;
    ant_addr addr, nobody;

    CHECK_INT(ant_send_to(io, "x", 1, NULL), -EDESTADDRREQ);
    CHECK_INT(ant_local_addr(io, &addr), 0);
    CHECK_INT(ant_peer_addr(io, &nobody), -ENOTCONN);
    CHECK_INT(ant_send_to(io, big, sizeof big, &addr), -EMSGSIZE);
    CHECK_INT(ant_shutdown(io, SHUT_WR), -ENOTCONN);
    CHECK_INT(ant_accept(io, &accepted), -EOPNOTSUPP);
    CHECK_INT(ant_close(io), 0);
}

static void check_no_socket(void)
{
    ant_io ends[2], accepted;
    ant_addr addr;
    char c;

    CHECK_INT(ant_pipe(ends), 0);
    CHECK_INT(ant_accept(ends[0], &accepted), -ENOTSOCK);
    CHECK_INT(ant_local_addr(ends[0], &addr), -ENOTSOCK);
    CHECK_INT(ant_peer_addr(ends[0], &addr), -ENOTSOCK);
    CHECK_INT(ant_shutdown(ends[0], SHUT_RD), -ENOTSOCK);
    CHECK_INT(ant_recv_from(ends[0], &c, 1, NULL), -ENOTSOCK);
    CHECK_INT(ant_send_to(ends[1], "x", 1, NULL), -ENOTSOCK);
    close_pair(ends);
    unix_pair(ends);
    CHECK_INT(ant_accept(ends[0], &accepted), -EINVAL);
    close_pair(ends);
}

/* The queue of a Unix socket is full: who dials does not wait, and may try again. */
static void check_backlog(void)
{
    const ant_listen_options one = {.backlog = 1};
    ant_io listener = listen_unix("unix", "full", &one), dialed[16], accepted;
    char address[ANT_ADDR_TEXT];
    ant_addr addr;
    int err = 0, n = 0;

    CHECK_INT(ant_local_addr(listener, &addr), 0);
    CHECK(ant_addr_text(&addr, address, sizeof address) > 0);
    while (n < 16 && (err = ant_dial(&dialed[n], "unix", address)) == 0)
        n++;
    CHECK_INT(err, -EAGAIN);
    CHECK(n >= 1);
    CHECK_INT(ant_accept(listener, &accepted), 0);
    CHECK_INT(ant_close(accepted), 0);
    CHECK_INT(ant_dial(&dialed[n], "unix", address), 0);
    for (int i = 0; i <= n; i++)
        CHECK_INT(ant_close(dialed[i]), 0);
    CHECK_INT(ant_close(listener), 0);
}

static int run(void *arg)
{
    errno = 4711;
    check_names();
    check_packets();
    check_unconnected();
    check_no_socket();
    check_backlog();
    CHECK_INT(errno, 4711);
    return 0;
}

TEST(net_errors)
{
    return run_and_check_leaks(run);
}
