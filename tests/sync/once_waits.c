/* once_waits - while the function runs, however long and however often it suspends, no call
 * returns; also if it is run by a thread. Other onces are not held up, and may be used by the
 * function. */
#include <pthread.h>
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"

enum { CALLERS = 5 };

static ant_once once, another;
static ant_chan *go_on;
static ant_waitgroup wg;
static atomic_int running, returned, calls;

static void count(void *arg)
{
    atomic_fetch_add(&calls, 1);
}

static void slow(void *arg)
{
    ant_once_do(&another, count, NULL);
    ant_once_do(&another, count, NULL);
    atomic_store(&running, 1);
    ant_chan_recv(go_on, NULL);
}

static void caller(void *arg)
{
    ant_once_do(&once, slow, NULL);
    atomic_fetch_add(&returned, 1);
    ant_waitgroup_done(&wg);
}

static void *thread(void *arg)
{
    caller(arg);
    return NULL;
}

static void play(bool thread_first)
{
    pthread_t t;

    once = another = (ant_once){0};
    atomic_store(&running, 0);
    atomic_store(&returned, 0);
    atomic_store(&calls, 0);
    ant_waitgroup_add(&wg, CALLERS + 1);
    for (int i = 0; i <= CALLERS; i++) {
        if (i == 0 ? thread_first : !thread_first && i == 1)
            CHECK_INT(pthread_create(&t, NULL, thread, NULL), 0);
        else
            CHECK_INT(ant_go(caller, NULL), 0);
        while (!atomic_load(&running))
            ant_yield();
    }
    for (int i = 0; i < 20; i++)
        ant_yield();
    CHECK_INT(atomic_load(&returned), 0);
    ant_once_do(&another, count, NULL);
    CHECK_INT(atomic_load(&calls), 1);
    ant_chan_send(go_on, NULL);
    ant_waitgroup_wait(&wg);
    CHECK_INT(atomic_load(&returned), CALLERS + 1);
    CHECK_INT(pthread_join(t, NULL), 0);
}

static int run(void *arg)
{
    CHECK_INT(ant_chan_new(&go_on, 0, 0), 0);
    for (int i = 0; i < test_scale(200); i++)
        play(i % 2);
    CHECK_INT(ant_chan_destroy(go_on), 0);
    return 0;
}

TEST(once_waits)
{
    return ant_run(run, NULL, NULL);
}
