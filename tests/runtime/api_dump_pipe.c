/* api_dump_pipe - a dump that is larger than the pipe into which it goes, and which a goroutine reads:
 * by a goroutine and by a plain thread; also if the pipe is non-blocking.
 *
 * Catches: a dump that writes while all goroutines are paused, or that keeps its P meanwhile. */
#include <fcntl.h>
#include <pthread.h>

#include <anthill.h>

#include "check.h"

enum { DEPTHS = 40, PIPE = 4096 };

static ant_waitgroup begun, never, done;

struct writer {
    int fd;
    bool is_thread;
};

static __attribute__((noinline)) void descend(int depth)
{
    if (depth > 0)
        descend(depth - 1);
    else
        ant_waitgroup_wait(&never);
    __asm__ volatile("" ::: "memory"); /* no jump in place of the call */
}

static void wait_deep(void *arg)
{
    ant_waitgroup_done(&begun);
    descend((int)(intptr_t)arg);
}

static void *dump(void *arg)
{
    struct writer *w = arg;

    CHECK_INT(ant_dump(w->fd), 0);
    close(w->fd);
    ant_waitgroup_done(&done);
    return NULL;
}

static void begin(void *arg)
{
    struct writer *w = arg;
    pthread_t thread;

    if (!w->is_thread) {
        dump(w);
        return;
    }
    CHECK_INT(pthread_create(&thread, NULL, dump, w), 0);
    CHECK_INT(pthread_detach(thread), 0);
}

static void check(bool is_thread, int flags)
{
    struct writer w = {.is_thread = is_thread};
    ssize_t n, all = 0;
    char text[1024];
    ant_io ours;
    int fds[2];

    CHECK_INT(pipe2(fds, O_CLOEXEC), 0);
    CHECK(fcntl(fds[1], F_SETPIPE_SZ, PIPE) > 0);
    CHECK_INT(fcntl(fds[1], F_SETFL, flags), 0);
    CHECK_INT(ant_io_from_fd(&ours, fds[0]), 0);
    w.fd = fds[1];
    ant_waitgroup_add(&done, 1);
    CHECK_INT(ant_go(begin, &w), 0);
    while ((n = ant_read(ours, text, sizeof text)) > 0)
        all += n;
    CHECK_INT(n, 0);
    CHECK(all > 4 * PIPE);
    ant_waitgroup_wait(&done);
    CHECK_INT(ant_close(ours), 0);
}

static int run(void *arg)
{
    ant_waitgroup_add(&begun, DEPTHS);
    ant_waitgroup_add(&never, 1);
    for (int i = 0; i < DEPTHS; i++)
        CHECK_INT(ant_go(wait_deep, (void *)(intptr_t)i), 0);
    ant_waitgroup_wait(&begun);
    check(false, 0);
    check(true, 0);
    check(false, O_NONBLOCK);
    check(true, O_NONBLOCK);
    return 0;
}

TEST(api_dump_pipe)
{
    return ant_run(run, NULL, NULL);
}
