/* net_sendfile_signal - a file that is sent to a socket whose other side is gone leaves no SIGPIPE
 * behind, unless the thread had one waiting before: that one still waits.
 *
 * Catches: a signal that is taken from its owner, one that comes later out of the blue. */
#include <signal.h>

#include "net_help.h"

static bool is_waiting(int signal)
{
    sigset_t pending;

    CHECK_INT(sigpending(&pending), 0);
    return sigismember(&pending, signal);
}

static void send_in_vain(void)
{
    off_t offset = 0;
    ant_io ends[2], file;

    unix_pair(ends);
    CHECK_INT(ant_close(ends[1]), 0);
    CHECK_INT(ant_open(&file, "/proc/self/exe", O_RDONLY, 0), 0);
    CHECK_INT(ant_sendfile(ends[0], file, &offset, 100), -EPIPE);
    CHECK_INT(offset, 0);
    CHECK_INT(ant_close(file), 0);
    CHECK_INT(ant_close(ends[0]), 0);
}

TEST(net_sendfile_signal)
{
    sigset_t set;

    sigemptyset(&set);
    sigaddset(&set, SIGPIPE);
    CHECK_INT(ant_start(NULL), 0);
    send_in_vain(); /* SIGPIPE would end us */
    CHECK_INT(pthread_sigmask(SIG_BLOCK, &set, NULL), 0);
    send_in_vain();
    CHECK(!is_waiting(SIGPIPE));
    CHECK_INT(raise(SIGPIPE), 0);
    send_in_vain();
    CHECK(is_waiting(SIGPIPE));
    CHECK_INT(ant_stop(), 0);
    return 0;
}
