/* cond_signal - Go's TestCondSignal: a signal wakes exactly one of those that wait, the one that
 * has waited longest; a signal or broadcast that finds nobody is nothing, and is not kept. The
 * mutex is had again after the wait. For goroutines and threads. */
#include <pthread.h>

#include <anthill.h>

#include "check.h"

enum { WAITERS = 4 };

static ant_mutex mutex;
static ant_cond cond;
static ant_waitgroup wg;
static int waiting, woken[WAITERS], woken_n; /* the mutex guards them */

static void waiter(void *arg)
{
    ant_mutex_lock(&mutex);
    waiting++;
    ant_cond_wait(&cond, &mutex);
    CHECK(!ant_mutex_try_lock(&mutex));
    woken[woken_n++] = (int)(intptr_t)arg;
    ant_mutex_unlock(&mutex);
    ant_waitgroup_done(&wg);
}

static void *waiter_thread(void *arg)
{
    waiter(arg);
    return NULL;
}

static int load(const int *counter)
{
    int n;

    ant_mutex_lock(&mutex);
    n = *counter;
    ant_mutex_unlock(&mutex);
    return n;
}

static void await(const int *counter, int n)
{
    while (load(counter) < n)
        ant_yield();
    for (int i = 0; i < 20; i++)
        ant_yield();
    CHECK_INT(load(counter), n);
}

static void play(bool threads, bool with_mutex)
{
    pthread_t ids[WAITERS];

    waiting = woken_n = 0;
    ant_cond_signal(&cond); /* nobody is there */
    ant_cond_broadcast(&cond);
    ant_waitgroup_add(&wg, WAITERS);
    for (intptr_t i = 0; i < WAITERS; i++) {
        if (threads && i % 2)
            CHECK_INT(pthread_create(&ids[i], NULL, waiter_thread, (void *)i), 0);
        else
            CHECK_INT(ant_go(waiter, (void *)i), 0);
        await(&waiting, (int)i + 1);
    }
    await(&woken_n, 0);
    for (int i = 0; i < WAITERS; i++) {
        if (with_mutex)
            ant_mutex_lock(&mutex);
        ant_cond_signal(&cond);
        if (with_mutex)
            ant_mutex_unlock(&mutex);
        await(&woken_n, i + 1);
        CHECK_INT(woken[i], i);
    }
    ant_waitgroup_wait(&wg);
    for (int i = 0; i < WAITERS; i++) {
        if (threads && i % 2)
            CHECK_INT(pthread_join(ids[i], NULL), 0);
    }
    CHECK(ant_mutex_try_lock(&mutex));
    ant_mutex_unlock(&mutex);
}

static int run(void *arg)
{
    for (int i = 0; i < test_scale(100); i++)
        play(i % 2, i % 4 >= 2);
    return 0;
}

TEST(cond_signal)
{
    CHECK_INT(ant_run(run, NULL, NULL), 0);
    CHECK_INT(ant_start(NULL), 0);
    run(NULL);
    CHECK_INT(ant_stop(), 0);
    return 0;
}
