/* net_vanished - the other side of a TCP connection is gone without a word, as when its machine lost power:
 * who waits for it is told some day. Accepted and dialed connections ask by themselves whether it is there.
 *
 * Catches: a connection that stays for ever, with the goroutine that reads from it. (Then it hangs.) */
#include <netinet/in.h>
#include <netinet/tcp.h>

#include "net_help.h"

static int option(ant_io io, int level, int name)
{
    int value = -1;
    socklen_t size = sizeof value;

    CHECK_INT(getsockopt(ant_io_fd(io), level, name, &value, &size), 0);
    return value;
}

static void check_asks(ant_io io)
{
    CHECK_INT(option(io, SOL_SOCKET, SO_KEEPALIVE), 1);
    CHECK_INT(option(io, IPPROTO_TCP, TCP_KEEPIDLE), 15);
    CHECK_INT(option(io, IPPROTO_TCP, TCP_KEEPINTVL), 15);
    CHECK(option(io, IPPROTO_TCP, TCP_NODELAY) != 0);
}

/* Only root may: closed while it is under repair, a socket is gone and says nothing. */
static bool vanish(ant_io io)
{
    int on = 1;
    bool can = setsockopt(ant_io_fd(io), IPPROTO_TCP, TCP_REPAIR, &on, sizeof on) == 0;

    CHECK(can || errno == EPERM);
    CHECK_INT(ant_close(io), 0);
    return can;
}

static int run(void *arg)
{
    const int second = 1;
    struct reader r;
    ant_io ends[2];

    for (int gone = 0; gone < 2; gone++) {
        tcp_pair(ends);
        check_asks(ends[0]);
        check_asks(ends[1]);
        CHECK_INT(
            setsockopt(ant_io_fd(ends[!gone]), IPPROTO_TCP, TCP_KEEPIDLE, &second, sizeof second),
            0);
        reader_start(&r, ends[!gone], NULL);
        await_waiters(1);
        if (vanish(ends[gone]))
            CHECK_INT(reader_end(&r),
                      -ECONNRESET); /* this machine is still there, and answers so */
        else
            CHECK_INT(reader_end(&r), 0);
        CHECK_INT(ant_close(ends[!gone]), 0);
    }
    return 0;
}

TEST(net_vanished)
{
    return run_and_check_leaks(run);
}
