/* rwmutex_mix - goroutines and plain threads read and write under one rwmutex: a writer is alone, a
 * reader sees nothing change, no turn is lost. */
#include <pthread.h>
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"

enum { GOROUTINES = 8, THREADS = 4, READER = 1, WRITER = 10000 };

static ant_rwmutex rw;
static ant_waitgroup wg;
static atomic_int activity;
static long written, twin; /* not atomic: the mutex guards them */

static void write_one(bool yield)
{
    ant_rwmutex_lock(&rw);
    CHECK_INT(atomic_fetch_add(&activity, WRITER), 0);
    written++;
    if (yield)
        ant_yield();
    twin++;
    CHECK_INT(atomic_fetch_sub(&activity, WRITER), WRITER);
    ant_rwmutex_unlock(&rw);
}

static void read_one(bool yield)
{
    ant_rwmutex_rlock(&rw);
    CHECK(atomic_fetch_add(&activity, READER) < WRITER);
    CHECK_INT(written, twin);
    if (yield)
        ant_yield();
    CHECK_INT(written, twin);
    atomic_fetch_sub(&activity, READER);
    ant_rwmutex_runlock(&rw);
}

static void hammer(void)
{
    int n = test_scale(5000);

    for (int i = 0; i < n; i++) {
        if (i % 5 == 0)
            write_one(i % 20 == 0);
        else
            read_one(i % 16 == 0);
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
    CHECK_INT(written, (long)(GOROUTINES + THREADS) * ((test_scale(5000) + 4) / 5));
    CHECK(ant_rwmutex_try_lock(&rw));
    return 0;
}

TEST(rwmutex_mix)
{
    return ant_run(run, NULL, NULL);
}
