/* sem_hammer - TestWeighted of Go's semaphore: goroutines and plain threads take and give back
 * different numbers of permits, none included; never more than there are are taken, and at the end
 * all are back. */
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"

enum { GOROUTINES = 12, THREADS = 4, CAPACITY = 10 };

static ant_sem sem = ANT_SEM(CAPACITY);
static ant_waitgroup wg;
static atomic_int taken;

static void hammer(int weight)
{
    int n = test_scale(5000);

    for (int i = 0; i < n; i++) {
        if (i % 8 == 7) {
            int err = ant_sem_try_acquire(&sem, weight);

            if (err == -EAGAIN)
                continue;
            CHECK_INT(err, 0);
        } else {
            CHECK_INT(ant_sem_acquire(&sem, weight), 0);
        }
        CHECK(atomic_fetch_add(&taken, weight) + weight <= CAPACITY);
        if (i % 16 == 0)
            ant_yield();
        CHECK(atomic_fetch_sub(&taken, weight) >= weight);
        if (weight > 2 && i % 4 == 0) {
            ant_sem_release(&sem, 1); /* not all at once */
            ant_sem_release(&sem, weight - 1);
        } else {
            ant_sem_release(&sem, weight);
        }
    }
    ant_waitgroup_done(&wg);
}

static void goroutine(void *arg)
{
    hammer((int)(intptr_t)arg);
}

static void *thread(void *arg)
{
    hammer((int)(intptr_t)arg);
    return NULL;
}

static int run(void *arg)
{
    pthread_t threads[THREADS];

    ant_waitgroup_add(&wg, GOROUTINES + THREADS);
    for (intptr_t i = 0; i < THREADS; i++)
        CHECK_INT(pthread_create(&threads[i], NULL, thread, (void *)(i + 1)), 0);
    for (intptr_t i = 0; i < GOROUTINES; i++)
        CHECK_INT(ant_go(goroutine, (void *)(i % (CAPACITY + 1))), 0);
    ant_waitgroup_wait(&wg);
    for (int i = 0; i < THREADS; i++)
        CHECK_INT(pthread_join(threads[i], NULL), 0);
    CHECK_INT(atomic_load(&taken), 0);
    CHECK_INT(ant_sem_try_acquire(&sem, CAPACITY), 0);
    return 0;
}

TEST(sem_hammer)
{
    return ant_run(run, NULL, NULL);
}
