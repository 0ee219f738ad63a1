/* cond_mix - a small buffer between goroutines and plain threads that put in and take out, with one
 * condition for "not full" and one for "not empty": nothing is lost, nothing comes twice, and one
 * signal for each is enough. */
#include <pthread.h>

#include <anthill.h>

#include "check.h"

enum { PAIRS = 4, ROOM = 3 }; /* of each kind as many */

static ant_mutex mutex;
static ant_cond not_full, not_empty;
static ant_waitgroup wg;
static int buffer[ROOM], used; /* the mutex guards them */
static long long sum_in, sum_out;

static void put(int value)
{
    ant_mutex_lock(&mutex);
    while (used == ROOM)
        ant_cond_wait(&not_full, &mutex);
    CHECK(used < ROOM);
    buffer[used++] = value;
    sum_in += value;
    if (value % 2)
        ant_cond_signal(&not_empty);
    ant_mutex_unlock(&mutex);
    if (value % 2 == 0)
        ant_cond_signal(&not_empty); /* is allowed without the mutex too */
}

static void take(void)
{
    ant_mutex_lock(&mutex);
    while (used == 0)
        ant_cond_wait(&not_empty, &mutex);
    CHECK(used > 0);
    sum_out += buffer[--used];
    ant_cond_signal(&not_full);
    ant_mutex_unlock(&mutex);
}

static void putter(void *arg)
{
    int n = test_scale(5000);

    for (int i = 0; i < n; i++)
        put((int)(intptr_t)arg + i);
    ant_waitgroup_done(&wg);
}

static void taker(void *arg)
{
    int n = test_scale(5000);

    for (int i = 0; i < n; i++)
        take();
    ant_waitgroup_done(&wg);
}

static void *putter_thread(void *arg)
{
    putter(arg);
    return NULL;
}

static void *taker_thread(void *arg)
{
    taker(arg);
    return NULL;
}

static int run(void *arg)
{
    pthread_t threads[PAIRS];

    ant_waitgroup_add(&wg, 2 * PAIRS);
    for (intptr_t i = 0; i < PAIRS; i += 2) {
        CHECK_INT(pthread_create(&threads[i], NULL, putter_thread, (void *)(i * 1000000)), 0);
        CHECK_INT(pthread_create(&threads[i + 1], NULL, taker_thread, NULL), 0);
        CHECK_INT(ant_go(putter, (void *)((i + 1) * 1000000)), 0);
        CHECK_INT(ant_go(taker, NULL), 0);
    }
    ant_waitgroup_wait(&wg);
    for (int i = 0; i < PAIRS; i++)
        CHECK_INT(pthread_join(threads[i], NULL), 0);
    CHECK_INT(used, 0);
    CHECK_INT(sum_in, sum_out);
    return 0;
}

TEST(cond_mix)
{
    return ant_run(run, NULL, NULL);
}
