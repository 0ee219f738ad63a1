/* select_duplicate - a select that waits twice on the same channel, and is then woken by another
 * one, takes both of its records out, and leaves the queue sound for those behind it. As Go's
 * SelectDuplicateChannel, for receivers and for senders. */
#include <anthill.h>

#include "check.h"

static ant_chan *twice, *other;
static ant_waitgroup selecting, wg;

static void let_others_run(void)
{
    for (int i = 0; i < 20; i++)
        ant_yield();
}

/* Fills the stack where the select was: a record that is still in a queue is rubbish now. */
static __attribute__((noinline)) void scribble(void)
{
    volatile char rubbish[8192];

    for (size_t i = 0; i < sizeof rubbish; i++)
        rubbish[i] = 0x5a;
}

/* ---- receivers ---- */

static void select_recv(void *arg)
{
    int v[3] = {0};
    ant_case cases[] = {ANT_RECV(twice, &v[0]), ANT_RECV(twice, &v[1]), ANT_RECV(other, &v[2])};

    CHECK_INT(ant_select(cases, 3), 2);
    CHECK(cases[2].received && !cases[0].received && !cases[1].received);
    CHECK(v[0] == 0 && v[1] == 0 && v[2] == 7);
    scribble();
    ant_waitgroup_done(&selecting);
}

static void plain_recv(void *arg)
{
    int v;

    CHECK(ant_chan_recv(twice, &v));
    CHECK_INT(v, 8);
    ant_waitgroup_done(&wg);
}

static void check_receivers(void)
{
    int v = 7;

    ant_waitgroup_add(&selecting, 1);
    CHECK_INT(ant_go(select_recv, NULL), 0);
    let_others_run();
    ant_waitgroup_add(&wg, 2);
    CHECK_INT(ant_go(plain_recv, NULL), 0);
    CHECK_INT(ant_go(plain_recv, NULL), 0);
    let_others_run();
    ant_chan_send(other, &v);
    ant_waitgroup_wait(&selecting);
    v = 8;
    ant_chan_send(twice, &v);
    ant_chan_send(twice, &v);
    ant_waitgroup_wait(&wg);
}

/* ---- senders ---- */

static void select_send(void *arg)
{
    int v[3] = {1, 2, 7};
    ant_case cases[] = {ANT_SEND(twice, &v[0]), ANT_SEND(twice, &v[1]), ANT_SEND(other, &v[2])};

    CHECK_INT(ant_select(cases, 3), 2);
    scribble();
    ant_waitgroup_done(&selecting);
}

static void plain_send(void *arg)
{
    ant_chan_send(twice, &(int){8});
    ant_waitgroup_done(&wg);
}

static void check_senders(void)
{
    int v;

    ant_waitgroup_add(&selecting, 1);
    CHECK_INT(ant_go(select_send, NULL), 0);
    let_others_run();
    ant_waitgroup_add(&wg, 2);
    CHECK_INT(ant_go(plain_send, NULL), 0);
    CHECK_INT(ant_go(plain_send, NULL), 0);
    let_others_run();
    CHECK(ant_chan_recv(other, &v));
    CHECK_INT(v, 7);
    ant_waitgroup_wait(&selecting);
    for (int i = 0; i < 2; i++) {
        CHECK(ant_chan_recv(twice, &v));
        CHECK_INT(v, 8);
    }
    ant_waitgroup_wait(&wg);
}

static int run(void *arg)
{
    int rounds = test_scale(2000);

    CHECK_INT(ant_chan_new(&twice, sizeof(int), 0), 0);
    CHECK_INT(ant_chan_new(&other, sizeof(int), 0), 0);
    for (int i = 0; i < rounds; i++) {
        check_receivers();
        check_senders();
    }
    CHECK_INT(ant_chan_destroy(twice), 0);
    CHECK_INT(ant_chan_destroy(other), 0);
    return 0;
}

TEST(select_duplicate)
{
    return ant_run(run, NULL, NULL);
}
