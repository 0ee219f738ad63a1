/* sem_large_not_starved - TestLargeAcquireDoesntStarve: a request for all permits is met although
 * as many goroutines as there are permits take and give back one again and again. Threads too. */
#include <pthread.h>
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"

enum { GOROUTINES = 6, THREADS = 2, ALL = GOROUTINES + THREADS };

static ant_sem sem = ANT_SEM(ALL);
static ant_waitgroup wg;
static atomic_bool stop;

static void take_again_and_again(void *arg)
{
    CHECK_INT(ant_sem_acquire(&sem, 1), 0);
    while (!atomic_load(&stop)) {
        ant_yield();
        ant_sem_release(&sem, 1);
        CHECK_INT(ant_sem_acquire(&sem, 1), 0);
    }
    ant_sem_release(&sem, 1);
    ant_waitgroup_done(&wg);
}

static void *thread(void *arg)
{
    take_again_and_again(arg);
    return NULL;
}

static int run(void *arg)
{
    pthread_t threads[THREADS];

    ant_waitgroup_add(&wg, ALL);
    for (int i = 0; i < THREADS; i++)
        CHECK_INT(pthread_create(&threads[i], NULL, thread, NULL), 0);
    for (int i = 0; i < GOROUTINES; i++)
        CHECK_INT(ant_go(take_again_and_again, NULL), 0);
    for (int i = 0; i < test_scale(200); i++) {
        CHECK_INT(ant_sem_acquire(&sem, ALL), 0);
        ant_sem_release(&sem, ALL);
        ant_yield();
    }
    atomic_store(&stop, true);
    ant_waitgroup_wait(&wg);
    for (int i = 0; i < THREADS; i++)
        CHECK_INT(pthread_join(threads[i], NULL), 0);
    CHECK_INT(ant_sem_try_acquire(&sem, ALL), 0);
    return 0;
}

TEST(sem_large_not_starved)
{
    return ant_run(run, NULL, NULL);
}
