/* fail_io - the n-th thing that is asked of the system is refused while descriptors are opened, for
 * every n until none is: each call succeeds or tells, nothing leaks, and it all works afterwards.
 *
 * Catches: a descriptor in nobody's hands after a failure half-way, one that is closed though it is
 * the caller's, a connection lost that was to wait. */
#include <poll.h>

#include "fail_each.h"

/* It was not accepted: for want of a descriptor it waits, else it is closed. */
static void check_refused(ant_io listener, ant_io client, int err)
{
    ant_io server;
    char byte;

    if (err == -EMFILE) {
        CHECK_INT(ant_accept(listener, &server), 0);
        CHECK_INT(ant_close(server), 0);
    }
    CHECK_INT(ant_read(client, &byte, 1), 0);
}

static void connect_once(ant_io listener, const char *address)
{
    ant_io client, server;
    int err;

    if (!worked("dial", ant_dial(&client, "tcp", address)))
        return;
    err = ant_accept(listener, &server);
    if (worked("accept", err))
        CHECK_INT(ant_close(server), 0);
    else
        check_refused(listener, client, err);
    CHECK_INT(ant_close(client), 0);
}

static void use_sockets(void)
{
    char address[ANT_ADDR_TEXT] = "";
    ant_io listener, io;
    ant_addr addr;

    if (!worked("listen", ant_listen(&listener, "tcp4", "127.0.0.1:0", NULL)))
        return;
    CHECK_INT(ant_local_addr(listener, &addr), 0);
    CHECK(ant_addr_text(&addr, address, sizeof address) > 0);
    connect_once(listener, address);
    if (worked("dial", ant_dial(&io, "udp", address)))
        CHECK_INT(ant_close(io), 0);
    CHECK_INT(ant_close(listener), 0);
}

static void use_files(void)
{
    ant_io io, ends[2];

    if (worked("pipe", ant_pipe(ends)))
        close_pair(ends);
    if (worked("open", ant_open(&io, "/proc/self/exe", O_RDONLY, 0)))
        CHECK_INT(ant_close(io), 0);
    if (worked("open", ant_open(&io, "/dev/random", O_RDONLY, 0))) /* can be waited for */
        CHECK_INT(ant_close(io), 0);
}

/* What was not handed over is ours still. */
static void use_foreign(void)
{
    int fds[2], err;
    ant_io io;

    CHECK_INT(pipe(fds), 0);
    err = ant_poll(fds[0], POLLIN, 100 * ANT_MICROSECOND);
    if (err != ANT_ETIMEOUT)
        worked("poll", err);
    CHECK_INT(ant_poll(fds[1], POLLOUT, -1), POLLOUT);
    if (worked("io_from_fd", ant_io_from_fd(&io, fds[0])))
        CHECK_INT(ant_close(io), 0);
    else
        CHECK_INT(close(fds[0]), 0);
    CHECK_INT(close(fds[1]), 0);
}

static int run(void *arg)
{
    use_files();
    use_foreign();
    use_sockets();
    return 0;
}

TEST(fail_io)
{
    return fail_each(run,
                     (const char *[]){"<pipe ENOSPC>", "<pipe EMFILE>", "<open ENOSPC>",
                                      "<poll ENOSPC>", "<poll ENOMEM>", "<io_from_fd ENOSPC>",
                                      "<listen ENOSPC>", "<listen EMFILE>", "<dial ENOSPC>",
                                      "<dial EMFILE>", "<accept ENOSPC>", "<accept EMFILE>", NULL});
}
