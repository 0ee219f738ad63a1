/* api_not_running - what every function says before the first start, and again after a stop. */
#include <errno.h>
#include <poll.h>

#include <anthill.h>

#include "check.h"

static void nothing(void *arg)
{
}

static int return_seven(void *arg)
{
    return 7;
}

static void check_errors(ant_timer *stopped)
{
    static ant_timer timer;
    ant_stats stats;
    int value = 1;

    CHECK_INT(ant_go(nothing, NULL), ANT_ENOTRUNNING);
    CHECK_INT(ant_go(NULL, NULL), -EINVAL);
    CHECK_INT(ant_go_copy(nothing, &value, sizeof value), ANT_ENOTRUNNING);
    CHECK_INT(ant_go_copy(NULL, &value, sizeof value), -EINVAL);
    CHECK_INT(ant_go_opts(NULL, nothing, NULL), ANT_ENOTRUNNING);
    CHECK_INT(ant_go_opts(&(ant_go_options){.name = "x"}, nothing, NULL), ANT_ENOTRUNNING);
    CHECK_INT(ant_stop(), ANT_ENOTRUNNING);
    CHECK_INT(ant_set_procs(2), ANT_ENOTRUNNING);
    CHECK_INT(ant_dump(STDERR_FILENO), ANT_ENOTRUNNING);
    CHECK_INT(ant_stats_get(&stats), ANT_ENOTRUNNING);
    CHECK_INT(ant_stats_get(NULL), -EINVAL);
    CHECK_INT(ant_lock_thread(), ANT_ENOTGOROUTINE);
    CHECK_INT(ant_own_fenv(true), ANT_ENOTGOROUTINE);
    CHECK_INT(ant_unlock_thread(), ANT_ENOTGOROUTINE);

    CHECK_INT(ant_timer_start(&timer, 0, nothing, NULL), ANT_ENOTRUNNING);
    CHECK_INT(ant_timer_stop(&timer), 0);
    CHECK_INT(ant_timer_reset(&(ant_timer){{0}}, 0), -EINVAL); /* never started */
    if (stopped) {
        CHECK_INT(ant_timer_reset(stopped, 0), ANT_ENOTRUNNING);
        CHECK_INT(ant_timer_stop(stopped), 0);
    }

    CHECK_INT(ant_count(), 0);
    CHECK_INT(ant_procs(), 0);
    CHECK_INT(ant_id(), 0);
}

/* And does nothing: no file is made, and the descriptor stays as it is. */
static void check_io(void)
{
    char path[64];
    ant_process process = {0};
    ant_io io, ends[2];
    ant_addr addr;
    int fds[2];

    snprintf(path, sizeof path, "/tmp/anthill-not-running-%d", getpid());
    CHECK_INT(pipe(fds), 0);
    CHECK_INT(ant_open(&io, path, O_RDWR | O_CREAT, 0600), ANT_ENOTRUNNING);
    CHECK_INT(access(path, F_OK), -1);
    CHECK_INT(ant_listen(&io, "unix", path, NULL), ANT_ENOTRUNNING);
    CHECK_INT(access(path, F_OK), -1);
    CHECK_INT(ant_listen(&io, "tcp4", "127.0.0.1:0", NULL), ANT_ENOTRUNNING);
    CHECK_INT(ant_listen(&io, "tcp4", NULL, NULL), -EINVAL);
    CHECK_INT(ant_dial(&io, "udp4", "127.0.0.1:1"), ANT_ENOTRUNNING);
    CHECK_INT(ant_resolve("tcp", "127.0.0.1:1", &addr, 1), ANT_ENOTRUNNING);
    CHECK_INT(ant_resolve("tcp", "localhost:1", &addr, 1), ANT_ENOTRUNNING);
    CHECK_INT(ant_pipe(ends), ANT_ENOTRUNNING);
    CHECK_INT(ant_io_from_fd(&io, fds[0]), ANT_ENOTRUNNING);
    CHECK(!(fcntl(fds[0], F_GETFL) & O_NONBLOCK));
    CHECK_INT(ant_poll(fds[1], POLLOUT, -1), ANT_ENOTRUNNING);
    CHECK_INT(ant_poll(fds[0], POLLIN, 0), ANT_ENOTRUNNING);
    CHECK_INT(ant_poll_ctx(fds[0], POLLIN, NULL), ANT_ENOTRUNNING);
    CHECK_INT(ant_spawn(&process, (const char *[]){"true", NULL}, NULL), ANT_ENOTRUNNING);
    CHECK_INT(ant_process_wait(process, NULL), -EBADF);
    CHECK_INT(ant_process_kill(process, 0), -EBADF);
    CHECK_INT(close(fds[0]), 0);
    CHECK_INT(close(fds[1]), 0);
}

/* Handles of a run that is over. */
static void check_stale(ant_io io)
{
    ant_process process = {.pid = 1, .watch = io};
    char byte;

    CHECK_INT(ant_read(io, &byte, 1), ANT_ECLOSED);
    CHECK_INT(ant_write(io, "x", 1), ANT_ECLOSED);
    CHECK_INT(ant_set_deadline(io, 1), ANT_ECLOSED);
    CHECK_INT(ant_io_fd(io), ANT_ECLOSED);
    CHECK_INT(ant_process_wait(process, NULL), ANT_ECLOSED);
    CHECK_INT(ant_process_kill(process, 0), ANT_ECLOSED);
    CHECK_INT(ant_close(io), ANT_ECLOSED);
}

/* What needs no runtime works without one. */
static void check_independent(void)
{
    ant_waitgroup wg = {0};
    ant_local key;

    CHECK(ant_now() > 0);
    ant_yield();
    ant_sleep(-1);
    ant_sleep(0);
    ant_sleep(1);
    ant_waitgroup_wait(&wg);
    ant_waitgroup_add(&wg, 1);
    ant_waitgroup_done(&wg);
    ant_waitgroup_wait(&wg);
    CHECK_INT(ant_local_new(&key, NULL), 0);
    CHECK_INT(ant_local_set(key, &key), ANT_ENOTGOROUTINE);
    CHECK(!ant_local_get(key));
    CHECK_INT(ant_local_free(key), 0);
    CHECK_INT(ant_try(nothing, NULL, NULL), 0);
    CHECK_STR(ant_version(), "0.1.0");
}

TEST(api_not_running)
{
    static ant_timer pending, done;
    ant_io ends[2];

    check_errors(NULL);
    check_io();
    check_independent();

    CHECK_INT(ant_start(NULL), 0);
    CHECK_INT(ant_timer_start(&pending, ANT_HOUR, nothing, NULL), 0);
    CHECK_INT(ant_timer_start(&done, ANT_HOUR, nothing, NULL), 0);
    CHECK_INT(ant_timer_stop(&done), 1);
    CHECK_INT(ant_pipe(ends), 0);
    CHECK_INT(ant_stop(), 0);
    check_io();
    check_stale(ends[0]);
    check_stale(ends[1]);
    check_errors(&done);
    check_errors(&pending);
    check_independent();

    CHECK_INT(ant_run(return_seven, NULL, NULL), 7);
    check_io();
    check_stale(ends[0]);
    check_errors(&done);
    check_errors(&pending);
    check_independent();
    return 0;
}
