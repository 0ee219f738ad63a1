/* mutex_fairness - Go's TestMutexFairness: who has the mutex nearly all the time cannot keep
 * another from it. Between goroutines, and between goroutines and threads either way. Said in
 * turns: by the time the other has had ten, the hog has had few. */
#include <pthread.h>
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"

enum { TURNS = 10, TOO_MANY = 100000 /* hundreds are usual */ };

static ant_mutex mutex;
static ant_waitgroup wg;
static atomic_bool stop;

static void hog(void *arg)
{
    for (int turns = 0; !atomic_load(&stop); turns++) {
        if (turns == TOO_MANY)
            FAIL("%d turns, and the other has not had %d", turns, TURNS);
        ant_mutex_lock(&mutex);
        ant_sleep(100 * ANT_MICROSECOND);
        ant_mutex_unlock(&mutex);
    }
    ant_waitgroup_done(&wg);
}

static void other(void *arg)
{
    for (int i = 0; i < TURNS; i++) {
        ant_sleep(100 * ANT_MICROSECOND);
        ant_mutex_lock(&mutex);
        ant_mutex_unlock(&mutex);
    }
    atomic_store(&stop, true);
    ant_waitgroup_done(&wg);
}

static void *hog_thread(void *arg)
{
    hog(arg);
    return NULL;
}

static void *other_thread(void *arg)
{
    other(arg);
    return NULL;
}

static void play(bool threaded_hog, bool threaded_other)
{
    pthread_t hogs, others;

    atomic_store(&stop, false);
    ant_waitgroup_add(&wg, 2);
    if (threaded_hog)
        CHECK_INT(pthread_create(&hogs, NULL, hog_thread, NULL), 0);
    else
        CHECK_INT(ant_go(hog, NULL), 0);
    if (threaded_other)
        CHECK_INT(pthread_create(&others, NULL, other_thread, NULL), 0);
    else
        CHECK_INT(ant_go(other, NULL), 0);
    ant_waitgroup_wait(&wg);
    if (threaded_hog)
        CHECK_INT(pthread_join(hogs, NULL), 0);
    if (threaded_other)
        CHECK_INT(pthread_join(others, NULL), 0);
}

static int run(void *arg)
{
    play(false, false);
    play(true, false);
    play(false, true);
    play(true, true);
    return 0;
}

TEST(mutex_fairness)
{
    return ant_run(run, NULL, NULL);
}
