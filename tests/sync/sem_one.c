/* sem_one - Go's TestSemaphore: a semaphore of one is a lock: ten goroutines, 1000 turns each,
 * never two inside. */
#include <anthill.h>

#include "check.h"

enum { N = 10 };

static ant_sem sem = ANT_SEM(1);
static ant_waitgroup wg;
static long turns; /* not atomic: the semaphore guards it */

static void hammer(void *arg)
{
    int n = test_scale(10000);

    for (int i = 0; i < n; i++) {
        CHECK_INT(ant_sem_acquire(&sem, 1), 0);
        turns++;
        if (i % 16 == 0)
            ant_yield();
        ant_sem_release(&sem, 1);
    }
    ant_waitgroup_done(&wg);
}

static int run(void *arg)
{
    ant_waitgroup_add(&wg, N);
    for (int i = 0; i < N; i++)
        CHECK_INT(ant_go(hammer, NULL), 0);
    ant_waitgroup_wait(&wg);
    CHECK_INT(turns, (long)N * test_scale(10000));
    CHECK_INT(ant_sem_try_acquire(&sem, 1), 0);
    return 0;
}

TEST(sem_one)
{
    return ant_run(run, NULL, NULL);
}
