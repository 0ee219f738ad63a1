/* cond_generations - Go's TestCondSignalGenerations: each signal goes to the generation that waited
 * first, while the next one comes to wait. */
#include <anthill.h>

#include "check.h"

enum { GENERATIONS = 100 };

static ant_mutex mutex;
static ant_cond cond;
static ant_chan *waits, *woken;

static void waiter(void *arg)
{
    int me = (int)(intptr_t)arg;

    ant_mutex_lock(&mutex);
    ant_chan_send(waits, NULL);
    ant_cond_wait(&cond, &mutex);
    ant_mutex_unlock(&mutex);
    ant_chan_send(woken, &me);
}

static void signal_one(void)
{
    ant_mutex_lock(&mutex); /* who said that it waits does so by now */
    ant_cond_signal(&cond);
    ant_mutex_unlock(&mutex);
}

static void check_woken(int expected)
{
    int who;

    CHECK(ant_chan_recv(woken, &who));
    CHECK_INT(who, expected);
}

static void play(void)
{
    for (intptr_t i = 0; i < GENERATIONS; i++) {
        CHECK_INT(ant_go(waiter, (void *)i), 0);
        if (i > 0)
            check_woken((int)i - 1);
        ant_chan_recv(waits, NULL);
        signal_one();
    }
    check_woken(GENERATIONS - 1);
}

static int run(void *arg)
{
    CHECK_INT(ant_chan_new(&waits, 0, 1), 0);
    CHECK_INT(ant_chan_new(&woken, sizeof(int), 1), 0);
    for (int i = 0; i < test_scale(200); i++)
        play();
    CHECK_INT(ant_chan_destroy(waits), 0);
    CHECK_INT(ant_chan_destroy(woken), 0);
    return 0;
}

TEST(cond_generations)
{
    return ant_run(run, NULL, NULL);
}
