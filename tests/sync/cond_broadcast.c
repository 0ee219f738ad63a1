/* cond_broadcast - Go's TestCondBroadcast: each of 200 that wait is woken exactly once by each of
 * 200 broadcasts. */
#include <anthill.h>

#include "check.h"

enum { N = 200 };

static ant_mutex mutex;
static ant_cond cond;
static ant_waitgroup wg, woken;
static int waiting, rounds[N]; /* the mutex guards these and stop */
static bool stop;

static void waiter(void *arg)
{
    int *my_rounds = arg;

    ant_mutex_lock(&mutex);
    while (!stop) {
        waiting++;
        ant_cond_wait(&cond, &mutex);
        ++*my_rounds;
        ant_waitgroup_done(&woken);
    }
    ant_mutex_unlock(&mutex);
    ant_waitgroup_done(&wg);
}

static void lock_when_all_wait(void)
{
    ant_mutex_lock(&mutex);
    while (waiting < N) {
        ant_mutex_unlock(&mutex);
        ant_yield();
        ant_mutex_lock(&mutex);
    }
    CHECK_INT(waiting, N);
}

static int run(void *arg)
{
    int n = test_scale(200);

    ant_waitgroup_add(&wg, N);
    for (int i = 0; i < N; i++)
        CHECK_INT(ant_go(waiter, &rounds[i]), 0);
    for (int round = 1; round <= n; round++) {
        lock_when_all_wait();
        for (int i = 0; i < N; i++)
            CHECK_INT(rounds[i], round - 1);
        waiting = 0;
        stop = round == n;
        ant_waitgroup_add(&woken, N);
        ant_cond_broadcast(&cond);
        ant_mutex_unlock(&mutex);
        ant_waitgroup_wait(&woken);
    }
    ant_waitgroup_wait(&wg);
    for (int i = 0; i < N; i++)
        CHECK_INT(rounds[i], n);
    return 0;
}

TEST(cond_broadcast)
{
    return ant_run(run, NULL, NULL);
}
