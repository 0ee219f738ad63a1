/* The number of Ps changes all the time, with slices of 200 us, while everything that waits is in use:
 * connections that come and go, packets, pipes by ant_poll, reads that give up with their context, files,
 * names, child processes, goroutines that compute and may be interrupted, and such that may not. All get
 * on, and all end.
 *
 * Catches: a P that goes with somebody's wake-up, event, section or signal; data races, with TSan. */
#include <poll.h>

#include "net_help.h"

enum { HOGS = 2, ROUNDS = 5 };

static _Atomic bool over;
static ant_waitgroup wg, accepting;
static char address[ANT_ADDR_TEXT];
static ant_io listener;

static void accept_all(void *arg)
{
    char byte;
    ant_io io;
    int err;

    while ((err = ant_accept(listener, &io)) == 0) {
        CHECK_INT(ant_read(io, &byte, 1), 1);
        CHECK_INT(ant_write(io, &byte, 1), 1);
        CHECK_INT(ant_close(io), 0);
    }
    CHECK_INT(err, ANT_ECLOSED);
    ant_waitgroup_done(&accepting);
}

static void dial(void)
{
    char byte = 'x';
    ant_io io;

    CHECK_INT(ant_dial(&io, "tcp", address), 0);
    CHECK_INT(ant_write(io, &byte, 1), 1);
    CHECK_INT(ant_read(io, &byte, 1), 1);
    CHECK_INT(byte, 'x');
    CHECK_INT(ant_read(io, &byte, 1), 0);
    CHECK_INT(ant_close(io), 0);
}

static void packet(void)
{
    char where[ANT_ADDR_TEXT], byte = 0;
    ant_io server = listen_at("udp4", "127.0.0.1:0", NULL, where), client;

    CHECK_INT(ant_dial(&client, "udp", where), 0);
    CHECK_INT(ant_write(client, "y", 1), 1);
    CHECK_INT(ant_read(server, &byte, 1), 1);
    CHECK_INT(byte, 'y');
    CHECK_INT(ant_close(client), 0);
    CHECK_INT(ant_close(server), 0);
}

static void write_later(void *arg)
{
    ant_sleep(100 * ANT_MICROSECOND);
    CHECK_INT(write(*(int *)arg, "z", 1), 1);
}

static void foreign(void)
{
    int fds[2];
    char byte;

    CHECK_INT(pipe2(fds, O_CLOEXEC | O_NONBLOCK), 0);
    CHECK_INT(ant_go_copy(write_later, &fds[1], sizeof fds[1]), 0);
    CHECK(ant_poll(fds[0], POLLIN, -1) > 0);
    CHECK_INT(read(fds[0], &byte, 1), 1);
    close(fds[0]);
    close(fds[1]);
}

static void give_up(void)
{
    ant_io ends[2];
    ant_ctx *ctx;
    char byte;

    unix_pair(ends);
    CHECK_INT(ant_ctx_with_timeout(&ctx, NULL, 100 * ANT_MICROSECOND), 0);
    CHECK_INT(ant_read_ctx(ends[0], &byte, 1, ctx), ANT_ETIMEOUT);
    ant_ctx_unref(ctx);
    close_pair(ends);
}

static void file(void)
{
    char bytes[4];
    ant_io io;

    CHECK_INT(ant_open(&io, "/proc/self/exe", O_RDONLY, 0), 0);
    CHECK_INT(ant_pread(io, bytes, 4, 0), 4);
    CHECK(!memcmp(bytes, "\177ELF", 4));
    CHECK_INT(ant_close(io), 0);
}

static void name(void)
{
    ant_addr addr;

    CHECK_INT(ant_resolve("tcp4", "localhost:80", &addr, 1), 1);
}

static void child(void)
{
#ifndef __aarch64__ /* there is no vfork in qemu */
    const char *argv[] = {"/bin/true", NULL};
    ant_process process;
    int status = -1;

    CHECK_INT(ant_spawn(&process, argv, NULL), 0);
    CHECK_INT(ant_process_wait(process, &status), 0);
    CHECK_INT(status, 0);
#endif
}

static void compute(void)
{
    for (volatile int i = 0; i < 300000; i++)
        continue;
}

static void say_so(void)
{
    ant_blocking_begin();
    usleep(300);
    ant_blocking_end();
}

static struct actor {
    void (*act)(void);
    _Atomic long rounds;
} actors[] = {{.act = dial}, {.act = packet}, {.act = foreign}, {.act = give_up}, {.act = file},
              {.act = name}, {.act = child},  {.act = compute}, {.act = say_so}};

enum { ACTORS = sizeof actors / sizeof actors[0] };

static void act(void *arg)
{
    struct actor *a = arg;

    while (!atomic_load(&over)) {
        a->act();
        atomic_fetch_add(&a->rounds, 1);
    }
    ant_waitgroup_done(&wg);
}

static void hog(void *arg)
{
    while (!atomic_load_explicit(&over, memory_order_relaxed))
        continue;
    ant_waitgroup_done(&wg);
}

static bool all_got_on(const long *before)
{
    for (int i = 0; i < ACTORS; i++) {
        if (atomic_load(&actors[i].rounds) < before[i] + 1)
            return false;
    }
    return true;
}

static void start(void)
{
    const ant_go_options interruptible = {.preempt = ANT_PREEMPT_SIGNAL};

    listener = listen_tcp(address);
    ant_waitgroup_add(&wg, ACTORS + HOGS);
    ant_waitgroup_add(&accepting, 1);
    CHECK_INT(ant_go(accept_all, NULL), 0);
    for (int i = 0; i < ACTORS; i++)
        CHECK_INT(ant_go(act, &actors[i]), 0);
    for (int i = 0; i < HOGS; i++)
        CHECK_INT(ant_go_opts(&interruptible, hog, NULL), 0);
}

static int run(void *arg)
{
    double until = test_now() + torture_seconds(0.4);

    atomic_store(&over, false);
    start();
    for (int round = 0; round < ROUNDS || test_now() < until; round++) {
        long before[ACTORS];

        for (int i = 0; i < ACTORS; i++)
            before[i] = atomic_load(&actors[i].rounds);
        CHECK(ant_set_procs(round * 5 % 8 + 1) > 0);
        while (!all_got_on(before)) /* or this hangs */
            ant_sleep(100 * ANT_MICROSECOND);
    }
    atomic_store(&over, true);
    ant_waitgroup_wait(&wg);
    CHECK_INT(ant_close(listener), 0);
    ant_waitgroup_wait(&accepting);
    return 0;
}

TEST(net_torture_procs)
{
    ant__slice = 200 * ANT_MICROSECOND;
    return run_and_check_leaks(run);
}
