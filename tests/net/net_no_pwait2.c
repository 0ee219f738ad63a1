/* On a kernel without epoll_pwait2, whose epoll_wait knows whole milliseconds only, who sleeps in the
 * poller still wakes for timers, never early, and for descriptors; and it sleeps meanwhile.
 *
 * Catches: no other way to wait, and milliseconds that are rounded down: both go round and round
 * instead of sleeping. */
#include <pthread.h>
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"
#include "refuse.h"

static _Atomic bool got;
static int fds[2];

static double cpu_used(void)
{
    struct timespec t;

    CHECK_INT(clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t), 0);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void read_one(void *arg)
{
    char c;

    CHECK_INT(ant_read(*(ant_io *)arg, &c, 1), 1);
    CHECK_INT(c, 'x');
    atomic_store(&got, true);
}

static void *write_one(void *arg)
{
    CHECK_INT(write(fds[1], "x", 1), 1);
    return NULL;
}

static void sleep_often(int times, ant_duration d)
{
    double begun = test_now(), cpu = cpu_used();

    for (int i = 0; i < times; i++) {
        ant_time before = ant_now();

        ant_sleep(d);
        CHECK(ant_now() - before >= d);
    }
    CHECK(cpu_used() - cpu < 0.5 * (test_now() - begun));
}

static int run(void *arg)
{
    pthread_t thread;
    ant_io io;

    CHECK_INT(syscall(SYS_epoll_pwait2, -1, NULL, 0, NULL, NULL, 0), -1);
    CHECK_INT(errno, ENOSYS);
    CHECK_INT(pipe(fds), 0);
    CHECK_INT(ant_io_from_fd(&io, fds[0]), 0);
    CHECK_INT(ant_go(read_one, &io), 0);
    sleep_often(300, 900 * ANT_MICROSECOND);
    sleep_often(10, 20 * ANT_MILLISECOND);
    CHECK(!atomic_load(&got));
    CHECK_INT(pthread_create(&thread, NULL, write_one, NULL), 0);
    while (!atomic_load(&got))
        ant_sleep(ANT_MILLISECOND);
    CHECK_INT(pthread_join(thread, NULL), 0);
    CHECK_INT(ant_close(io), 0);
    close(fds[1]);
    return 0;
}

TEST(net_no_pwait2)
{
    CHECK(refuse_call(SYS_epoll_pwait2, ENOSYS));
    CHECK_INT(ant_run(run, NULL, NULL), 0);
    return 0;
}
