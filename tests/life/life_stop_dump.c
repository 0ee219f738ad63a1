/* Stopping while the dump that SIGQUIT asked for cannot be written, since nobody reads: it comes back, says
 * so, and does not claim that all is gone. Afterwards the runtime starts and stops as ever.
 *
 * Catches: stopping for ever; a thread of ours that is left and not told of. */
#include <signal.h>

#include <anthill.h>

#include "check.h"

enum { GOROUTINES = 100 };

static int fds[2];

static void sleep_long(void *arg)
{
    ant_sleep(ANT_HOUR);
}

static void fill(void)
{
    char bytes[4096] = "";

    CHECK(fcntl(fds[1], F_SETFL, O_NONBLOCK) == 0);
    while (write(fds[1], bytes, sizeof bytes) > 0)
        continue;
    while (write(fds[1], bytes, 1) > 0)
        continue;
    CHECK(fcntl(fds[1], F_SETFL, 0) == 0);
}

static void drain(void)
{
    char bytes[4096];

    CHECK(fcntl(fds[0], F_SETFL, O_NONBLOCK) == 0);
    for (int i = 0; i < 50; i++) {
        while (read(fds[0], bytes, sizeof bytes) > 0)
            continue;
        usleep(10000);
    }
}

TEST(life_stop_dump)
{
    const ant_config config = {.dump_on_quit = true, .stop_timeout = 100 * ANT_MILLISECOND};
    int before = dup(STDERR_FILENO), devnull = open("/dev/null", O_WRONLY | O_CLOEXEC);

    CHECK_INT(pipe(fds), 0);
    CHECK_INT(ant_start(&config), 0);
    for (int i = 0; i < GOROUTINES; i++)
        CHECK_INT(ant_go(sleep_long, NULL), 0);
    usleep(50000);
    fill();
    CHECK(dup2(fds[1], STDERR_FILENO) >= 0);
    CHECK_INT(raise(SIGQUIT), 0);
    usleep(300000);                           /* the thread has begun to write */
    CHECK(dup2(devnull, STDERR_FILENO) >= 0); /* what it writes to stays the pipe */
    CHECK_INT(ant_stop(), ANT_ETIMEOUT);
    drain();
    CHECK(dup2(before, STDERR_FILENO) >= 0);
    CHECK_INT(ant_start(&config), 0);
    CHECK_INT(ant_stop(), 0);
    close(before);
    close(devnull);
    close(fds[0]);
    close(fds[1]);
    return 0;
}
