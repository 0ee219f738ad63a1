/* select_self - two that send and receive on the same channel in one select never match
 * themselves on a channel without buffer, and never get stuck, as Go's SelfSelect. */
#include <pthread.h>

#include <anthill.h>

#include "check.h"

static ant_chan *c;
static ant_waitgroup wg;
static int each;

static void play(void *arg)
{
    int self = (int)(intptr_t)arg;

    for (int i = 0; i < each; i++) {
        int v = -1;
        ant_case send = ANT_SEND(c, &self), recv = ANT_RECV(c, &v);
        ant_case cases[2] = {send, recv};
        int chosen;

        if (i % 2) {
            cases[0] = recv;
            cases[1] = send;
        }
        chosen = ant_select(cases, 2);
        if (cases[chosen].kind == ANT_CASE_SEND)
            continue;
        CHECK(cases[chosen].received);
        CHECK(v == 0 || v == 1);
        if (ant_chan_cap(c) == 0)
            CHECK_INT(v, !self);
    }
    ant_waitgroup_done(&wg);
}

static void *play_in_thread(void *arg)
{
    play(arg);
    return NULL;
}

static void game(size_t capacity, bool with_thread)
{
    pthread_t thread;

    CHECK_INT(ant_chan_new(&c, sizeof(int), capacity), 0);
    ant_waitgroup_add(&wg, 2);
    CHECK_INT(ant_go(play, NULL), 0);
    if (with_thread)
        CHECK_INT(pthread_create(&thread, NULL, play_in_thread, (void *)1), 0);
    else
        CHECK_INT(ant_go(play, (void *)1), 0);
    ant_waitgroup_wait(&wg);
    if (with_thread)
        CHECK_INT(pthread_join(thread, NULL), 0);
    CHECK_INT(ant_chan_destroy(c), 0);
}

static int run(void *arg)
{
    each = test_scale(50000);
    game(0, false);
    game(10, false);
    each = test_scale(2000);
    game(0, true);
    game(10, true);
    return 0;
}

TEST(select_self)
{
    return ant_run(run, NULL, NULL);
}
