/* select_stress - four channels, each with a sender and a receiver of its own, and one sender
 * and one receiver that select among all four and drop a channel when they are done with it.
 * Each side makes an exact number of sends and receives, so that nobody gets stuck, and what
 * arrives on each channel is what was sent there. As Go's SelectStress. */
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"

enum { CHANS = 4 };

static ant_chan *chans[CHANS];
static int each;
static atomic_llong sent[CHANS], received[CHANS]; /* sums */
static ant_waitgroup wg;

static void send_on_one(void *arg)
{
    int at = (int)(intptr_t)arg;

    for (int i = 0; i < each; i++) {
        int v = i * 2;

        ant_chan_send(chans[at], &v);
        sent[at] += v;
    }
    ant_waitgroup_done(&wg);
}

static void recv_from_one(void *arg)
{
    int at = (int)(intptr_t)arg, v;

    for (int i = 0; i < each; i++) {
        CHECK(ant_chan_recv(chans[at], &v));
        received[at] += v;
    }
    ant_waitgroup_done(&wg);
}

/* each times on each channel. */
static void select_all(void *arg)
{
    bool sends = arg != NULL;
    int v = 1, left[CHANS];
    ant_case cases[CHANS];

    for (int i = 0; i < CHANS; i++) {
        ant_case send = ANT_SEND(chans[i], &v), recv = ANT_RECV(chans[i], &v);

        cases[i] = sends ? send : recv;
        left[i] = each;
    }
    for (int i = 0; i < CHANS * each; i++) {
        int at = ant_select(cases, CHANS);

        CHECK(at >= 0 && at < CHANS && left[at] > 0);
        if (sends) {
            sent[at] += v;
            v += 2;
        } else {
            CHECK(cases[at].received);
            received[at] += v;
        }
        if (--left[at] == 0)
            cases[at].chan = NULL;
    }
    ant_waitgroup_done(&wg);
}

static int run(void *arg)
{
    static const size_t capacities[CHANS] = {0, 0, 2, 3};

    each = test_scale(100000);
    for (int i = 0; i < CHANS; i++)
        CHECK_INT(ant_chan_new(&chans[i], sizeof(int), capacities[i]), 0);
    ant_waitgroup_add(&wg, 2 * CHANS + 2);
    for (intptr_t i = 0; i < CHANS; i++) {
        CHECK_INT(ant_go(send_on_one, (void *)i), 0);
        CHECK_INT(ant_go(recv_from_one, (void *)i), 0);
    }
    CHECK_INT(ant_go(select_all, &each), 0);
    CHECK_INT(ant_go(select_all, NULL), 0);
    ant_waitgroup_wait(&wg);
    for (int i = 0; i < CHANS; i++) {
        CHECK_INT(received[i], sent[i]);
        CHECK_INT(ant_chan_len(chans[i]), 0);
        CHECK_INT(ant_chan_destroy(chans[i]), 0);
    }
    return 0;
}

TEST(select_stress)
{
    return ant_run(run, NULL, NULL);
}
