/* mutex_ctx_hammer - goroutines and threads lock with random timeouts, with none, and by trying:
 * never two inside, each success counts once, and at the end the mutex is free. */
#include <pthread.h>
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"

enum { GOROUTINES = 8, THREADS = 3 };

static ant_mutex mutex;
static ant_waitgroup wg;
static atomic_int inside;
static atomic_long got;
static long turns; /* not atomic: the mutex guards it */

static unsigned next(unsigned *seed)
{
    *seed = *seed * 1664525 + 1013904223;
    return *seed >> 16;
}

static bool lock_somehow(unsigned *seed)
{
    ant_duration d = next(seed) % 100 * ANT_MICROSECOND;
    ant_ctx *ctx;
    int err;

    if (next(seed) % 8 == 0)
        return ant_mutex_try_lock(&mutex);
    if (next(seed) % 4 == 0) {
        ant_mutex_lock(&mutex);
        return true;
    }
    CHECK_INT(ant_ctx_with_timeout(&ctx, NULL, d), 0);
    err = ant_mutex_lock_ctx(&mutex, ctx);
    if (err)
        CHECK_INT(err, ANT_ETIMEOUT);
    ant_ctx_unref(ctx);
    return err == 0;
}

static void hammer(unsigned seed)
{
    int n = test_scale(2000);

    for (int i = 0; i < n; i++) {
        if (!lock_somehow(&seed))
            continue;
        CHECK_INT(atomic_fetch_add(&inside, 1), 0);
        turns++;
        atomic_fetch_add(&got, 1);
        if (next(&seed) % 4 == 0)
            ant_yield();
        if (next(&seed) % 32 == 0)
            ant_sleep(50 * ANT_MICROSECOND);
        CHECK_INT(atomic_fetch_sub(&inside, 1), 1);
        ant_mutex_unlock(&mutex);
    }
    ant_waitgroup_done(&wg);
}

static void goroutine(void *seed)
{
    hammer((unsigned)(uintptr_t)seed);
}

static void *thread(void *seed)
{
    hammer((unsigned)(uintptr_t)seed);
    return NULL;
}

static int run(void *arg)
{
    pthread_t threads[THREADS];

    ant_waitgroup_add(&wg, GOROUTINES + THREADS);
    for (intptr_t i = 0; i < THREADS; i++)
        CHECK_INT(pthread_create(&threads[i], NULL, thread, (void *)(i + 1)), 0);
    for (intptr_t i = 0; i < GOROUTINES; i++)
        CHECK_INT(ant_go(goroutine, (void *)(i + 100)), 0);
    ant_waitgroup_wait(&wg);
    for (int i = 0; i < THREADS; i++)
        CHECK_INT(pthread_join(threads[i], NULL), 0);
    CHECK(ant_mutex_try_lock(&mutex));
    CHECK_INT(turns, atomic_load(&got));
    return 0;
}

TEST(mutex_ctx_hammer)
{
    return ant_run(run, NULL, NULL);
}
