/* select_random_send - a select with two sends, or two receives, on the same channel takes each
 * of them often, with and without a buffer, whether it had to wait or not. As Go's
 * PseudoRandomSend. */
#include <anthill.h>

#include "check.h"

enum { N = 1000 };

static ant_chan *c;
static ant_waitgroup wg;
static bool patient; /* lets the select wait first */

static void receiver(void *arg)
{
    int *counts = arg, v;

    for (int i = 0; i < N; i++) {
        if (patient)
            ant_yield();
        CHECK(ant_chan_recv(c, &v));
        counts[v]++;
    }
    ant_waitgroup_done(&wg);
}

static void sender(void *arg)
{
    for (int i = 0; i < N; i++) {
        if (patient)
            ant_yield();
        ant_chan_send(c, &i);
    }
    ant_waitgroup_done(&wg);
}

static void check_counts(const char *what, const int *counts)
{
    CHECK_INT(counts[0] + counts[1], N);
    if (counts[0] <= N / 10 || counts[1] <= N / 10)
        FAIL("%s, capacity %zu, patient %d: %d and %d times", what, ant_chan_cap(c), patient,
             counts[0], counts[1]);
}

static void check_sends(void)
{
    int counts[2] = {0}, values[2] = {0, 1};
    ant_case cases[] = {ANT_SEND(c, &values[0]), ANT_SEND(c, &values[1])};

    ant_waitgroup_add(&wg, 1);
    CHECK_INT(ant_go(receiver, counts), 0);
    for (int i = 0; i < N; i++)
        CHECK(ant_select(cases, 2) >= 0);
    ant_waitgroup_wait(&wg);
    check_counts("sends", counts);
}

static void check_recvs(void)
{
    int counts[2] = {0}, values[2];
    ant_case cases[] = {ANT_RECV(c, &values[0]), ANT_RECV(c, &values[1])};

    ant_waitgroup_add(&wg, 1);
    CHECK_INT(ant_go(sender, NULL), 0);
    for (int i = 0; i < N; i++) {
        int at = ant_select(cases, 2);

        CHECK(at == 0 || at == 1);
        CHECK_INT(values[at], i);
        counts[at]++;
    }
    ant_waitgroup_wait(&wg);
    check_counts("receives", counts);
}

static int run(void *arg)
{
    for (int i = 0; i < 4; i++) {
        patient = i % 2;
        CHECK_INT(ant_chan_new(&c, sizeof(int), i / 2 ? N : 0), 0);
        check_sends();
        check_recvs();
        CHECK_INT(ant_chan_destroy(c), 0);
    }
    return 0;
}

TEST(select_random_send)
{
    return ant_run(run, NULL, NULL);
}
