/* With a descriptor to wait for, idle threads sleep in the poller, and timers shorter than its
 * milliseconds are still met: of many sleeps of 100 us at least one takes less than 900.
 *
 * Catches: a poller that waits for whole milliseconds though the kernel has epoll_pwait2. */
#include <sys/epoll.h>
#include <sys/syscall.h>
#include <time.h>

#include "net_help.h"

enum { SLEEPS = 1000 };

static bool has_pwait2(void)
{
#ifdef SYS_epoll_pwait2
    struct epoll_event event;
    struct timespec none = {0};
    int fd = epoll_create1(EPOLL_CLOEXEC);
    long n = syscall(SYS_epoll_pwait2, fd, &event, 1, &none, NULL, 0);

    close(fd);
    return n == 0;
#else
    return false;
#endif
}

static int run(void *arg)
{
    ant_duration least = ANT_SECOND;
    struct reader r;
    ant_io ends[2];

    CHECK_INT(ant_pipe(ends), 0);
    reader_start(&r, ends[0], NULL);
    await_waiters(1);
    for (int i = 0; i < SLEEPS && least >= 900 * ANT_MICROSECOND; i++) {
        ant_time start = ant_now();

        ant_sleep(100 * ANT_MICROSECOND);
        if (ant_now() - start < least)
            least = ant_now() - start;
    }
    CHECK(least < 900 * ANT_MICROSECOND);
    CHECK_INT(ant_write(ends[1], "x", 1), 1);
    CHECK_INT(reader_end(&r), 1);
    close_pair(ends);
    return 0;
}

TEST(net_pwait2)
{
    if (!has_pwait2())
        return 0;
    return run_and_check_leaks(run);
}
