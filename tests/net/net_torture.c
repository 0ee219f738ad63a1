/* All at once, with slices of 200 us so that Ps are taken all the time: echo traffic on 16
 * connections, deadlines that come and go, goroutines that compute or block with and without saying
 * so, and a number of Ps that changes. Every byte comes back as it was, and all ends.
 *
 * Catches: a wake-up lost between the poller and a P that changes hands; a count of waiters that is
 * not kept; data races, with TSan. */
#include "net_help.h"

enum { CONNECTIONS = 16, DISTURBERS = 4, MOST = 3000 };

static ant_io clients[CONNECTIONS], servers[CONNECTIONS];
static _Atomic bool over;
static _Atomic long rounds, timeouts;
static ant_waitgroup wg;

static unsigned next(unsigned *random)
{
    *random = *random * 1664525 + 1013904223;
    return *random >> 8;
}

static void compute(unsigned us)
{
    double until = test_now() + us / 1e6;

    while (test_now() < until)
        continue;
}

static void disturb(void *arg)
{
    unsigned random = (unsigned)(uintptr_t)arg;

    while (!atomic_load(&over)) {
        unsigned us = next(&random) % 1000;

        switch (us % 5) {
        case 0:
            compute(us);
            break;
        case 1:
            usleep(us);
            break;
        case 2:
            ant_blocking_begin();
            usleep(us);
            ant_blocking_end();
            break;
        case 3:
            ant_set_read_deadline(clients[us % CONNECTIONS],
                                  us % 2 ? 1 : ant_now() + us * ANT_MICROSECOND);
            break;
        default:
            ant_sleep(us * ANT_MICROSECOND);
        }
    }
    ant_waitgroup_done(&wg);
}

static void serve(void *arg)
{
    ant_io io = *(ant_io *)arg;
    char buf[1000];
    ssize_t n;

    while ((n = ant_read(io, buf, sizeof buf)) > 0)
        CHECK_INT(ant_write(io, buf, (size_t)n), n);
    CHECK_INT(n, 0);
    CHECK_INT(ant_close(io), 0);
    ant_waitgroup_done(&wg);
}

/* In spite of the deadlines. */
static void read_all(ant_io io, unsigned char *buf, size_t size)
{
    for (size_t got = 0; got < size;) {
        ssize_t n = ant_read(io, buf + got, size - got);

        if (n == ANT_ETIMEOUT) {
            atomic_fetch_add(&timeouts, 1);
            CHECK_INT(ant_set_read_deadline(io, 0), 0);
            continue;
        }
        CHECK(n > 0);
        got += (size_t)n;
    }
}

static void echo_on(void *arg)
{
    ant_io io = *(ant_io *)arg;
    unsigned random = (unsigned)((ant_io *)arg - clients);
    unsigned char out[MOST], in[MOST];

    while (!atomic_load(&over)) {
        size_t size = next(&random) % MOST + 1;

        for (size_t i = 0; i < size; i++)
            out[i] = (unsigned char)(next(&random));
        CHECK_INT(ant_write(io, out, size), size);
        read_all(io, in, size);
        CHECK(!memcmp(in, out, size));
        atomic_fetch_add(&rounds, 1);
    }
    CHECK_INT(ant_shutdown(io, SHUT_WR), 0);
    ant_waitgroup_done(&wg);
}

static void start(void)
{
    for (int i = 0; i < CONNECTIONS; i++) {
        ant_io ends[2];

        i % 4 ? tcp_pair(ends) : unix_pair(ends);
        clients[i] = ends[0];
        servers[i] = ends[1];
    }
    ant_waitgroup_add(&wg, 2 * CONNECTIONS + DISTURBERS);
    for (int i = 0; i < CONNECTIONS; i++) {
        CHECK_INT(ant_go(serve, &servers[i]), 0);
        CHECK_INT(ant_go(echo_on, &clients[i]), 0);
    }
    for (uintptr_t i = 0; i < DISTURBERS; i++)
        CHECK_INT(ant_go(disturb, (void *)(i + 1)), 0);
}

static int run(void *arg)
{
    double until = test_now() + torture_seconds(0.4);
    unsigned random = 1;

    atomic_store(&over, false);
    start();
    while (test_now() < until) {
        long before = atomic_load(&rounds);

        CHECK(ant_set_procs((int)(next(&random) % 8) + 1) > 0);
        while (atomic_load(&rounds) < before + 20) /* they get on, or this hangs */
            ant_sleep(100 * ANT_MICROSECOND);
    }
    atomic_store(&over, true);
    ant_waitgroup_wait(&wg);
    for (int i = 0; i < CONNECTIONS; i++)
        CHECK_INT(ant_close(clients[i]), 0);
    return 0;
}

TEST(net_torture)
{
    ant__slice = 200 * ANT_MICROSECOND;
    return run_and_check_leaks(run);
}
