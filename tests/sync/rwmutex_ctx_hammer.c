/* rwmutex_ctx_hammer - goroutines and threads lock for reading and for writing, with random
 * timeouts, with none, and by trying: a writer is alone, each success of one counts once, and at
 * the end the lock is free. */
#include <pthread.h>
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"

enum { GOROUTINES = 8, THREADS = 3, READER = 1, WRITER = 10000 };

static ant_rwmutex rw;
static ant_waitgroup wg;
static atomic_int activity;
static atomic_long got;
static long written; /* not atomic: the mutex guards it */

static unsigned next(unsigned *seed)
{
    *seed = *seed * 1664525 + 1013904223;
    return *seed >> 16;
}

static bool lock_somehow(unsigned *seed, bool writes)
{
    ant_duration d = next(seed) % 100 * ANT_MICROSECOND;
    ant_ctx *ctx = NULL;
    int err;

    if (next(seed) % 8 == 0)
        return writes ? ant_rwmutex_try_lock(&rw) : ant_rwmutex_try_rlock(&rw);
    if (next(seed) % 4)
        CHECK_INT(ant_ctx_with_timeout(&ctx, NULL, d), 0);
    err = writes ? ant_rwmutex_lock_ctx(&rw, ctx) : ant_rwmutex_rlock_ctx(&rw, ctx);
    if (err)
        CHECK_INT(err, ANT_ETIMEOUT);
    ant_ctx_unref(ctx);
    return err == 0;
}

static void stay(unsigned *seed)
{
    if (next(seed) % 4 == 0)
        ant_yield();
    if (next(seed) % 32 == 0)
        ant_sleep(50 * ANT_MICROSECOND);
}

static void hammer(unsigned seed)
{
    int n = test_scale(2000);

    for (int i = 0; i < n; i++) {
        bool writes = next(&seed) % 3 == 0;

        if (!lock_somehow(&seed, writes))
            continue;
        if (writes) {
            CHECK_INT(atomic_fetch_add(&activity, WRITER), 0);
            written++;
            atomic_fetch_add(&got, 1);
            stay(&seed);
            CHECK_INT(atomic_fetch_sub(&activity, WRITER), WRITER);
            ant_rwmutex_unlock(&rw);
        } else {
            CHECK(atomic_fetch_add(&activity, READER) < WRITER);
            stay(&seed);
            atomic_fetch_sub(&activity, READER);
            ant_rwmutex_runlock(&rw);
        }
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
    CHECK(ant_rwmutex_try_lock(&rw));
    CHECK_INT(written, atomic_load(&got));
    return 0;
}

TEST(rwmutex_ctx_hammer)
{
    return ant_run(run, NULL, NULL);
}
