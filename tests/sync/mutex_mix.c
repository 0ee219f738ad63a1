/* mutex_mix - goroutines and plain threads on one mutex: never two at once inside, no turn lost;
 * some hold it across a suspension. */
#include <pthread.h>
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"

enum { GOROUTINES = 8, THREADS = 4 };

static ant_mutex mutex;
static ant_waitgroup wg;
static atomic_int inside;
static long turns; /* not atomic: the mutex guards it */

static void hammer(void)
{
    int n = test_scale(10000);

    for (int i = 0; i < n; i++) {
        ant_mutex_lock(&mutex);
        CHECK_INT(atomic_fetch_add(&inside, 1), 0);
        turns++;
        if (i % 100 == 0)
            ant_yield();
        if (i % 1000 == 0)
            ant_sleep(50 * ANT_MICROSECOND);
        CHECK_INT(atomic_fetch_sub(&inside, 1), 1);
        ant_mutex_unlock(&mutex);
        if (i % 10 == 0)
            ant_yield();
    }
    ant_waitgroup_done(&wg);
}

static void goroutine(void *arg)
{
    hammer();
}

static void *thread(void *arg)
{
    hammer();
    return NULL;
}

static int run(void *arg)
{
    pthread_t threads[THREADS];

    ant_waitgroup_add(&wg, GOROUTINES + THREADS);
    for (int i = 0; i < THREADS; i++)
        CHECK_INT(pthread_create(&threads[i], NULL, thread, NULL), 0);
    for (int i = 0; i < GOROUTINES; i++)
        CHECK_INT(ant_go(goroutine, NULL), 0);
    ant_waitgroup_wait(&wg);
    for (int i = 0; i < THREADS; i++)
        CHECK_INT(pthread_join(threads[i], NULL), 0);
    CHECK_INT(turns, (long)(GOROUTINES + THREADS) * test_scale(10000));
    CHECK(ant_mutex_try_lock(&mutex));
    return 0;
}

TEST(mutex_mix)
{
    return ant_run(run, NULL, NULL);
}
