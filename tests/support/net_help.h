/* net_help.h - for tests of descriptors: connected pairs, and knowing that others wait. */
#ifndef ANT_TESTS_NET_HELP_H
#define ANT_TESTS_NET_HELP_H

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/socket.h>

#include <anthill.h>

#include "check.h"
#include "runtime/runtime.h"

/* Goroutines and threads that wait for descriptors now. */
static inline int io_waiters(void)
{
    int64_t n = ant__load_relaxed(&ant__sched.foreign_io_waiting);

    for (int i = 0; i < ant__load_acquire(&ant__sched.all_ps_n); i++)
        n += ant__load_relaxed(&ant__p_at(i)->io_waiting);
    return (int)n;
}

static inline void await_waiters(int n)
{
    while (io_waiters() != n)
        ant_sleep(100 * ANT_MICROSECOND);
}

static inline ant_io listen_at(const char *network, const char *where,
                               const ant_listen_options *options, char address[ANT_ADDR_TEXT])
{
    ant_addr addr;
    ant_io io;

    CHECK_INT(ant_listen(&io, network, where, options), 0);
    CHECK_INT(ant_local_addr(io, &addr), 0);
    CHECK(ant_addr_text(&addr, address, ANT_ADDR_TEXT) > 0);
    return io;
}

static inline ant_io listen_tcp(char address[ANT_ADDR_TEXT])
{
    return listen_at("tcp4", "127.0.0.1:0", NULL, address);
}

static inline void tcp_pair(ant_io ret_ends[2])
{
    char address[ANT_ADDR_TEXT];
    ant_io listener = listen_tcp(address);

    CHECK_INT(ant_dial(&ret_ends[0], "tcp", address), 0);
    CHECK_INT(ant_accept(listener, &ret_ends[1]), 0);
    CHECK_INT(ant_close(listener), 0);
}

static inline void unix_pair(ant_io ret_ends[2])
{
    int fds[2];

    CHECK_INT(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds), 0);
    CHECK_INT(ant_io_from_fd(&ret_ends[0], fds[0]), 0);
    CHECK_INT(ant_io_from_fd(&ret_ends[1], fds[1]), 0);
}

static inline void close_pair(ant_io ends[2])
{
    CHECK_INT(ant_close(ends[0]), 0);
    CHECK_INT(ant_close(ends[1]), 0);
}

/* Until there is no room; with a pair of Unix sockets it stays so until somebody reads. Returns how
 * many bytes that were. */
static inline size_t fill_up(ant_io io)
{
    static const char bytes[4096];
    size_t total = 0;
    ssize_t n;

    while ((n = send(ant_io_fd(io), bytes, sizeof bytes, MSG_DONTWAIT)) > 0)
        total += (size_t)n;
    return total;
}

/* A call that waits, made by another: *result is set when it is back. */
struct reader {
    ant_io io;
    ant_ctx *ctx;
    ssize_t result;
    char byte;
    ant_waitgroup done;
};

static inline void reader_run(void *arg)
{
    struct reader *r = arg;

    r->result = ant_read_ctx(r->io, &r->byte, 1, r->ctx);
    ant_waitgroup_done(&r->done);
}

static inline void reader_start(struct reader *r, ant_io io, ant_ctx *ctx)
{
    *r = (struct reader){.io = io, .ctx = ctx, .result = 4711};
    ant_waitgroup_add(&r->done, 1);
    CHECK_INT(ant_go(reader_run, r), 0);
}

static inline ssize_t reader_end(struct reader *r)
{
    ant_waitgroup_wait(&r->done);
    return r->result;
}

static int (*leaks__fn)(void *);

/* The stop would close what was left open, so descriptors are counted before it. Who is about to close
 * one may take a moment. */
static inline int leaks__run_and_count(void *arg)
{
    double deadline;
    int before, err;
    ant_io ends[2];

    CHECK_INT(ant_pipe(ends), 0); /* opens the poller, which stays */
    close_pair(ends);
    before = test__count_entries("/proc/self/fd");
    err = leaks__fn(arg);
    deadline = test_now() + 20;
    while (test__count_entries("/proc/self/fd") > before && test_now() < deadline)
        ant_sleep(ANT_MILLISECOND);
    CHECK_INT(test__count_entries("/proc/self/fd"), before);
    return err;
}

/* Runs a test twice and looks what each time, and the second one in all, has left behind. */
static inline int run_and_check_leaks(int (*fn)(void *))
{
    struct test_resources before;

    leaks__fn = fn;
    CHECK_INT(ant_run(leaks__run_and_count, NULL, NULL), 0);
    before = test_resources_now();
    CHECK_INT(ant_run(leaks__run_and_count, NULL, NULL), 0);
    test_resources_check(&before, 300); /* libc keeps stacks of threads */
    return 0;
}

#endif
