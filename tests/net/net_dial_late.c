/* net_dial_late - dialing a name with two addresses, to which a connection comes about when nobody
 * waits for it any more: the second of two is closed; one that was there just before the dialing was
 * canceled is what dialing returns. The connect of our own lets the first wait for the second.
 *
 * Catches: a connection that is left open, one that is closed but returned. */
#include <sys/syscall.h>

#include "two_places.h"

static ant_waitgroup second_begun;
static ant_ctx *to_cancel;

/* Without O_NONBLOCK, so that it is there at once. */
static int connect_now(int fd, const struct sockaddr *addr, socklen_t len)
{
    int flags = fcntl(fd, F_GETFL), err;

    CHECK_INT(fcntl(fd, F_SETFL, flags & ~O_NONBLOCK), 0);
    err = (int)syscall(SYS_connect, fd, addr, len);
    CHECK_INT(fcntl(fd, F_SETFL, flags), 0);
    return err;
}

int connect(int fd, const struct sockaddr *addr, socklen_t len)
{
    bool is_first = !memcmp(addr, &places[0], len);

    if (to_cancel) {
        ant_ctx_cancel(to_cancel);
        ant_sleep(20 * ANT_MILLISECOND); /* until the dialer knows */
    } else if (is_first) {
        ant_waitgroup_wait(&second_begun);
    } else {
        ant_waitgroup_done(&second_begun);
    }
    return connect_now(fd, addr, len);
}

static void check_two(void)
{
    ant_addr peer;
    ant_io io;

    ant_waitgroup_add(&second_begun, 1);
    CHECK_INT(ant_dial(&io, "tcp", "somewhere:1"), 0);
    CHECK_INT(ant_peer_addr(io, &peer), 0);
    CHECK_INT(ant_close(io), 0);
}

static void check_canceled(void)
{
    ant_addr peer;
    ant_io io;

    CHECK_INT(ant_ctx_with_cancel(&to_cancel, NULL), 0);
    CHECK_INT(ant_dial_ctx(&io, "tcp", "somewhere:1", to_cancel), 0);
    CHECK_INT(ant_peer_addr(io, &peer), 0);
    CHECK_INT(ant_close(io), 0);
    ant_ctx_unref(to_cancel);
    to_cancel = NULL;
}

static int run(void *arg)
{
    int listeners[PLACES];

    for (int i = 0; i < PLACES; i++)
        listeners[i] = open_place(i, true);
    for (int i = 0; i < 5; i++) {
        check_two();
        check_canceled();
    }
    for (int i = 0; i < PLACES; i++)
        CHECK_INT(close(listeners[i]), 0);
    return 0;
}

TEST(net_dial_late)
{
    return run_and_check_leaks(run);
}
