/* chan_recv_close_race - while a channel that holds an element is being closed, trying to
 * receive gets that element, as Go's NonblockRecvRace; also by select with a default, and in a
 * plain thread. */
#include <errno.h>
#include <pthread.h>

#include <anthill.h>

#include "check.h"

static ant_chan *turns, *results; /* a turn hands over the channel to receive from */

static void try_once(ant_chan *c, bool by_select)
{
    int v = 0;

    if (by_select) {
        ant_case cases[] = {ANT_RECV(c, &v), ANT_DEFAULT};

        CHECK_INT(ant_select(cases, 2), 0);
        CHECK(cases[0].received);
    } else {
        CHECK_INT(ant_chan_try_recv(c, &v), 0);
    }
    CHECK_INT(v, 1);
}

static void receiver(void *arg)
{
    ant_chan *c;

    for (int i = 0; ant_chan_recv(turns, &c); i++) {
        try_once(c, i % 2);
        ant_chan_send(results, &i);
    }
    ant_chan_close(results);
}

static void *receiver_in_thread(void *arg)
{
    receiver(arg);
    return NULL;
}

static void race(int rounds)
{
    int v = 1;

    for (int i = 0; i < rounds; i++) {
        ant_chan *c;

        CHECK_INT(ant_chan_new(&c, sizeof v, 1), 0);
        ant_chan_send(c, &v);
        ant_chan_send(turns, &c);
        ant_chan_close(c);
        CHECK(ant_chan_recv(results, NULL));
        CHECK_INT(ant_chan_try_recv(c, NULL), ANT_ECLOSED);
        CHECK_INT(ant_chan_destroy(c), 0);
    }
    ant_chan_close(turns);
    CHECK(!ant_chan_recv(results, NULL));
}

static int run(void *arg)
{
    for (int in_thread = 0; in_thread < 2; in_thread++) {
        pthread_t thread;

        CHECK_INT(ant_chan_new(&turns, sizeof(ant_chan *), 1), 0);
        CHECK_INT(ant_chan_new(&results, sizeof(int), 0), 0);
        if (in_thread)
            CHECK_INT(pthread_create(&thread, NULL, receiver_in_thread, NULL), 0);
        else
            CHECK_INT(ant_go(receiver, NULL), 0);
        race(test_scale(in_thread ? 5000 : 50000));
        if (in_thread)
            CHECK_INT(pthread_join(thread, NULL), 0);
        while (ant_count() > 1) /* the receiver may be in its close yet */
            ant_yield();
        CHECK_INT(ant_chan_destroy(turns), 0);
        CHECK_INT(ant_chan_destroy(results), 0);
    }
    return 0;
}

TEST(chan_recv_close_race)
{
    return ant_run(run, NULL, NULL);
}
