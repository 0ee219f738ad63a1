/* net_standard - a program that is started without standard descriptors: the poller takes none of their
 * numbers. So connections are served also after the program has opened them by dup2.
 *
 * Catches: a poller that becomes descriptor 2 and is closed by a dup2. */
#include <fcntl.h>
#include <unistd.h>

#include <anthill.h>

#include "check.h"

static ant_waitgroup wg;

static void write_late(void *arg)
{
    ant_sleep(ANT_MILLISECOND);
    CHECK_INT(ant_write(*(ant_io *)arg, "x", 1), 1);
    ant_waitgroup_done(&wg);
}

/* Waits for a byte that comes later, so that the poller must tell of it. */
static void exchange(void)
{
    ant_io ends[2];
    char byte;

    CHECK_INT(ant_pipe(ends), 0);
    ant_waitgroup_add(&wg, 1);
    CHECK_INT(ant_go(write_late, &ends[1]), 0);
    CHECK_INT(ant_read(ends[0], &byte, 1), 1);
    ant_waitgroup_wait(&wg);
    CHECK_INT(ant_close(ends[0]), 0);
    CHECK_INT(ant_close(ends[1]), 0);
}

static int run(void *arg)
{
    int null;

    exchange();
    null = open("/dev/null", O_RDWR | O_CLOEXEC);
    for (int fd = 0; fd <= 2; fd++) {
        if (fd != null)
            dup2(null, fd);
    }
    exchange();
    return 0;
}

static void child(void)
{
    alarm(20);
    for (int fd = 0; fd <= 2; fd++)
        close(fd);
    _exit(ant_run(run, NULL, NULL) ? 1 : 0);
}

TEST(net_standard)
{
    char output[256];
    int status = test_child(child, output, sizeof output);

    CHECK(WIFEXITED(status));
    CHECK_INT(WEXITSTATUS(status), 0);
    return 0;
}
