/* select_fairness - among cases that are all possible each is chosen equally often, within ten
 * standard deviations, wherever they stand among cases that are not: receives, sends and closed
 * channels, in goroutines and in plain threads. As Go's SelectFairness. */
#include <pthread.h>

#include <anthill.h>

#include "check.h"

enum { MOST = 24 };

static ant_chan *closed, *empty, *signals; /* the last one has no end of room */
static ant_waitgroup wg;
static int trials;

/* sqrt, without linking libm. */
static double root(double x)
{
    double r = x;

    for (int i = 0; i < 60; i++)
        r = (r + x / r) / 2;
    return r;
}

/* Of n cases those are possible whose bit is set in ready. */
static void check(int n, unsigned ready)
{
    int chosen[MOST] = {0}, possible = __builtin_popcount(ready);
    double p = 1.0 / possible, sigma = root(trials * p * (1 - p));
    ant_case cases[MOST];

    for (int i = 0; i < n; i++) {
        ant_case never = ANT_RECV(empty, NULL), recv = ANT_RECV(closed, NULL);
        ant_case send = ANT_SEND(signals, NULL);

        cases[i] = !(ready >> i & 1) ? never : i % 3 ? recv : send;
    }
    for (int i = 0; i < trials; i++) {
        int at = ant_select(cases, n);

        CHECK(at >= 0 && at < n);
        chosen[at]++;
    }
    for (int i = 0; i < n; i++) {
        double off = chosen[i] - trials * p;

        if (!(ready >> i & 1))
            CHECK_INT(chosen[i], 0);
        else if (possible > 1 && (off > 10 * sigma || off < -10 * sigma))
            FAIL("case %d of %d (%x): %d of %d times", i, n, ready, chosen[i], trials);
    }
}

static void check_all(void *arg)
{
    for (int n = 2; n <= 5; n++) {
        for (unsigned ready = 1; ready < 1u << n; ready++)
            check(n, ready);
    }
    check(16, 0xffff);
    check(17, 0x1ffff);
    check(MOST, 0xabcdef);
    ant_waitgroup_done(&wg);
}

static void *check_in_thread(void *arg)
{
    check_all(arg);
    return NULL;
}

static int run(void *arg)
{
    pthread_t thread;

    trials = test_scale(10000);
    CHECK_INT(ant_chan_new(&closed, 0, 0), 0);
    CHECK_INT(ant_chan_new(&empty, 0, 1), 0);
    CHECK_INT(ant_chan_new(&signals, 0, (size_t)1 << 40), 0);
    ant_chan_close(closed);
    ant_waitgroup_add(&wg, 2);
    CHECK_INT(pthread_create(&thread, NULL, check_in_thread, NULL), 0);
    check_all(NULL);
    ant_waitgroup_wait(&wg);
    CHECK_INT(pthread_join(thread, NULL), 0);
    CHECK_INT(ant_chan_destroy(closed), 0);
    CHECK_INT(ant_chan_destroy(empty), 0);
    CHECK_INT(ant_chan_destroy(signals), 0);
    return 0;
}

TEST(select_fairness)
{
    return ant_run(run, NULL, NULL);
}
