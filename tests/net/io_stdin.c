/* Standard input can be waited for, and is left as it is: others may share it.
 *
 * Catches: a read that blocks its thread (main then never writes, with one P), or a descriptor that was
 * made non-blocking. */
#include "net_help.h"

static _Atomic bool got;

static void read_line(void *arg)
{
    char text[8] = {0};

    CHECK_INT(ant_read(*(ant_io *)arg, text, sizeof text), 3);
    CHECK_STR(text, "abc");
    atomic_store(&got, true);
}

static int run(void *arg)
{
    int fds[2];
    ant_io io;

    CHECK_INT(pipe(fds), 0);
    CHECK_INT(dup2(fds[0], 0), 0);
    CHECK_INT(ant_io_from_fd(&io, 0), 0);
    CHECK_INT(fcntl(0, F_GETFL) & O_NONBLOCK, 0);
    CHECK_INT(ant_go(read_line, &io), 0);
    await_waiters(1);
    CHECK_INT(write(fds[1], "abc", 3), 3);
    while (!atomic_load(&got))
        ant_sleep(ANT_MILLISECOND);
    CHECK_INT(ant_close(io), 0);
    close(fds[0]);
    close(fds[1]);
    return 0;
}

TEST(io_stdin)
{
    CHECK_INT(ant_run(run, NULL, NULL), 0);
    return 0;
}
