/* Closing wakes everyone that waits: 20 goroutines and 3 threads that read from one socket, as many
 * that accept from one listener, and as many that wait to write; all get ANT_ECLOSED.
 *
 * Catches: only one is woken, threads are forgotten, the descriptor is closed under those that use
 * it or not at all. */
#include "net_help.h"

enum { GOROUTINES = 20, THREADS = 3, ALL = GOROUTINES + THREADS };

static ant_io io;
static ssize_t (*call)(void);
static ant_waitgroup wg;

static ssize_t call_read(void)
{
    char c;

    return ant_read(io, &c, 1);
}

static ssize_t call_write(void)
{
    return ant_write(io, "x", 1);
}

static ssize_t call_accept(void)
{
    ant_io accepted;

    return ant_accept(io, &accepted);
}

static void wait_in_call(void *arg)
{
    CHECK_INT(call(), ANT_ECLOSED);
    ant_waitgroup_done(&wg);
}

static void *thread(void *arg)
{
    CHECK_INT(call(), ANT_ECLOSED);
    return NULL;
}

static void check(ssize_t (*what)(void), ant_io which)
{
    pthread_t threads[THREADS];

    call = what;
    io = which;
    ant_waitgroup_add(&wg, GOROUTINES);
    for (int i = 0; i < GOROUTINES; i++)
        CHECK_INT(ant_go(wait_in_call, NULL), 0);
    for (int i = 0; i < THREADS; i++)
        CHECK_INT(pthread_create(&threads[i], NULL, thread, NULL), 0);
    await_waiters(ALL);
    CHECK_INT(ant_close(io), 0);
    CHECK_INT(ant_close(io), ANT_ECLOSED);
    ant_waitgroup_wait(&wg);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    CHECK_INT(io_waiters(), 0);
}

static int run(void *arg)
{
    char address[ANT_ADDR_TEXT];
    ant_io ends[2];

    tcp_pair(ends);
    check(call_read, ends[0]);
    CHECK_INT(ant_read(ends[1], address, 1), 0); /* so it is closed indeed */
    CHECK_INT(ant_close(ends[1]), 0);
    check(call_accept, listen_tcp(address));
    unix_pair(ends);
    fill_up(ends[0]);
    check(call_write, ends[0]);
    CHECK_INT(ant_close(ends[1]), 0);
    return 0;
}

TEST(net_close_wakes)
{
    return run_and_check_leaks(run);
}
