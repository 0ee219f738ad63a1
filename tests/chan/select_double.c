/* select_double - a select does one of its cases, never two: of four sends of the same number
 * one arrives, and four receives take one element from what four senders offer. As Go's
 * doubleselect. */
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"

enum { CHANS = 4 };

static ant_chan *chans[CHANS];
static _Atomic unsigned char *seen;
static int numbers;
static ant_waitgroup wg;

static void mark(int v)
{
    CHECK(v >= 0 && v < numbers);
    CHECK_INT(atomic_fetch_add(&seen[v], 1), 0);
}

static void check_seen(void)
{
    for (int i = 0; i < numbers; i++) {
        CHECK_INT(seen[i], 1);
        seen[i] = 0;
    }
}

static void close_all(void)
{
    for (int i = 0; i < CHANS; i++)
        ant_chan_close(chans[i]);
}

static void make_chans(void)
{
    for (int i = 0; i < CHANS; i++)
        CHECK_INT(ant_chan_new(&chans[i], sizeof(int), 0), 0);
}

static void destroy_chans(void)
{
    for (int i = 0; i < CHANS; i++)
        CHECK_INT(ant_chan_destroy(chans[i]), 0);
}

static void receiver(void *c)
{
    int v;

    while (ant_chan_recv(c, &v))
        mark(v);
    ant_waitgroup_done(&wg);
}

static void check_sends(void)
{
    make_chans();
    ant_waitgroup_add(&wg, CHANS);
    for (int i = 0; i < CHANS; i++)
        CHECK_INT(ant_go(receiver, chans[i]), 0);
    for (int i = 0; i < numbers; i++) {
        ant_case cases[] = {ANT_SEND(chans[0], &i), ANT_SEND(chans[1], &i), ANT_SEND(chans[2], &i),
                            ANT_SEND(chans[3], &i)};

        CHECK(ant_select(cases, CHANS) >= 0);
    }
    close_all();
    ant_waitgroup_wait(&wg);
    check_seen();
    destroy_chans();
}

static void sender(void *arg)
{
    int at = (int)(intptr_t)arg;

    for (int v = at; v < numbers; v += CHANS)
        ant_chan_send(chans[at], &v);
    ant_chan_close(chans[at]);
    ant_waitgroup_done(&wg);
}

static void check_recvs(void)
{
    int v[CHANS], open = CHANS;
    ant_case cases[CHANS];

    make_chans();
    ant_waitgroup_add(&wg, CHANS);
    for (intptr_t i = 0; i < CHANS; i++) {
        cases[i] = (ant_case)ANT_RECV(chans[i], &v[i]);
        CHECK_INT(ant_go(sender, (void *)i), 0);
    }
    while (open > 0) {
        int at;

        for (int i = 0; i < CHANS; i++)
            v[i] = -1;
        at = ant_select(cases, CHANS);
        CHECK(at >= 0);
        for (int i = 0; i < CHANS; i++)
            CHECK(i == at || v[i] == -1);
        if (cases[at].received) {
            mark(v[at]);
        } else {
            cases[at].chan = NULL;
            open--;
        }
    }
    ant_waitgroup_wait(&wg);
    check_seen();
    destroy_chans();
}

static int run(void *arg)
{
    numbers = test_scale(100000);
    seen = calloc((size_t)numbers, 1);
    CHECK(seen);
    check_sends();
    check_recvs();
    free((void *)seen);
    return 0;
}

TEST(select_double)
{
    return ant_run(run, NULL, NULL);
}
