/* sem_ctx_hammer - goroutines and threads take random numbers of permits with random timeouts, with
 * none, and by trying: never more than there are are taken, and at the end exactly all are back. */
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"

enum { GOROUTINES = 8, THREADS = 3, CAPACITY = 10 };

static ant_sem sem = ANT_SEM(CAPACITY);
static ant_waitgroup wg;
static atomic_int taken;

static unsigned next(unsigned *seed)
{
    *seed = *seed * 1664525 + 1013904223;
    return *seed >> 16;
}

static bool acquire_somehow(unsigned *seed, int n)
{
    ant_duration d = next(seed) % 100 * ANT_MICROSECOND;
    ant_ctx *ctx = NULL;
    int err;

    if (next(seed) % 8 == 0) {
        err = ant_sem_try_acquire(&sem, n);
        CHECK(err == 0 || err == -EAGAIN);
        return err == 0;
    }
    if (next(seed) % 4)
        CHECK_INT(ant_ctx_with_timeout(&ctx, NULL, d), 0);
    err = ant_sem_acquire_ctx(&sem, n, ctx);
    if (err)
        CHECK_INT(err, ANT_ETIMEOUT);
    ant_ctx_unref(ctx);
    return err == 0;
}

static void hammer(unsigned seed)
{
    int rounds = test_scale(2000);

    for (int i = 0; i < rounds; i++) {
        int n = (int)(next(&seed) % (CAPACITY + 1));

        if (!acquire_somehow(&seed, n))
            continue;
        CHECK(atomic_fetch_add(&taken, n) + n <= CAPACITY);
        if (next(&seed) % 4 == 0)
            ant_yield();
        if (next(&seed) % 32 == 0)
            ant_sleep(50 * ANT_MICROSECOND);
        CHECK(atomic_fetch_sub(&taken, n) >= n);
        ant_sem_release(&sem, n);
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
    CHECK_INT(ant_sem_try_acquire(&sem, CAPACITY), 0);
    CHECK_INT(ant_sem_try_acquire(&sem, 1), -EAGAIN);
    return 0;
}

TEST(sem_ctx_hammer)
{
    return ant_run(run, NULL, NULL);
}
