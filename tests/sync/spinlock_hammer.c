/* spinlock_hammer - goroutines and plain threads on one spin lock: never two inside, no turn lost;
 * trying fails while it is held and succeeds when it is free. */
#include <pthread.h>
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"

enum { GOROUTINES = 8, THREADS = 4 };

static ant_spinlock lock;
static ant_waitgroup wg;
static atomic_int inside;
static long turns; /* not atomic: the lock guards it */

static void hammer(void)
{
    int n = test_scale(20000);

    for (int i = 0; i < n; i++) {
        if (i % 4 == 0) {
            while (!ant_spinlock_try_lock(&lock))
                ant_yield();
        } else {
            ant_spinlock_lock(&lock);
        }
        CHECK_INT(atomic_fetch_add(&inside, 1), 0);
        turns++;
        CHECK_INT(atomic_fetch_sub(&inside, 1), 1);
        ant_spinlock_unlock(&lock);
        if (i % 64 == 0)
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

static void check_try(void)
{
    CHECK(ant_spinlock_try_lock(&lock));
    CHECK(!ant_spinlock_try_lock(&lock));
    ant_spinlock_unlock(&lock);
    ant_spinlock_lock(&lock);
    CHECK(!ant_spinlock_try_lock(&lock));
    ant_spinlock_unlock(&lock);
}

static int run(void *arg)
{
    pthread_t threads[THREADS];

    check_try();
    ant_waitgroup_add(&wg, GOROUTINES + THREADS);
    for (int i = 0; i < THREADS; i++)
        CHECK_INT(pthread_create(&threads[i], NULL, thread, NULL), 0);
    for (int i = 0; i < GOROUTINES; i++)
        CHECK_INT(ant_go(goroutine, NULL), 0);
    ant_waitgroup_wait(&wg);
    for (int i = 0; i < THREADS; i++)
        CHECK_INT(pthread_join(threads[i], NULL), 0);
    CHECK_INT(turns, (long)(GOROUTINES + THREADS) * test_scale(20000));
    check_try();
    return 0;
}

TEST(spinlock_hammer)
{
    check_try(); /* without a runtime */
    return ant_run(run, NULL, NULL);
}
