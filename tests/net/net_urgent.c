/* A read stops before an urgent byte, though there is more behind it: the next read gets that,
 * without anything else having to happen.
 *
 * Catches: a read that came short is taken for "there is nothing until the next event". */
#include "net_help.h"

static int run(void *arg)
{
    ant_io ends[2];
    char buf[64];
    int fd;

    for (int i = 0; i < 20; i++) {
        tcp_pair(ends);
        fd = ant_io_fd(ends[0]);
        CHECK_INT(send(fd, "abc", 3, 0), 3);
        CHECK_INT(send(fd, "!", 1, MSG_OOB), 1);
        CHECK_INT(send(fd, "def", 3, 0), 3);
        if (i % 2)
            ant_sleep(ANT_MILLISECOND); /* all in one event, or in several */
        CHECK_INT(ant_read_full(ends[1], buf, 6), 6);
        CHECK(!memcmp(buf, "abcdef", 6));
        close_pair(ends);
    }
    return 0;
}

TEST(net_urgent)
{
    return run_and_check_leaks(run);
}
