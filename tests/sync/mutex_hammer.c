/* mutex_hammer - Go's TestMutex: ten goroutines lock, now and then by trying; what the mutex guards
 * is never touched by two. */
#include <anthill.h>

#include "check.h"

enum { N = 10 };

static ant_mutex mutex;
static ant_waitgroup wg;
static long turns; /* not atomic: the mutex guards it */

static void hammer(void *arg)
{
    int n = test_scale(20000);

    for (int i = 0; i < n; i++) {
        if (i % 3 == 0) {
            while (!ant_mutex_try_lock(&mutex))
                ant_yield();
        } else {
            ant_mutex_lock(&mutex);
        }
        turns++;
        if (i % 64 == 0)
            ant_yield();
        ant_mutex_unlock(&mutex);
    }
    ant_waitgroup_done(&wg);
}

static int run(void *arg)
{
    ant_waitgroup_add(&wg, N);
    for (int i = 0; i < N; i++)
        CHECK_INT(ant_go(hammer, NULL), 0);
    ant_waitgroup_wait(&wg);
    CHECK_INT(turns, (long)N * test_scale(20000));
    CHECK(ant_mutex_try_lock(&mutex));
    return 0;
}

TEST(mutex_hammer)
{
    return ant_run(run, NULL, NULL);
}
