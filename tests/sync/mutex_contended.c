/* mutex_contended - what an optimised program calls when it finds a mutex locked, or its holder finds
 * that others wait: the two are functions of their own, and exclude each other as the others do. */
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"

enum { GOROUTINES = 10, ROUNDS = 1000 };

static ant_mutex mutex;
static ant_waitgroup wg;
static int counter;
static atomic_int inside;

static void count(void *arg)
{
    for (int i = 0, n = test_scale(ROUNDS); i < n; i++) {
        ant_mutex_lock_contended(&mutex);
        CHECK_INT(atomic_fetch_add(&inside, 1), 0);
        counter++;
        if (i % 16 == 0)
            ant_yield();
        atomic_fetch_sub(&inside, 1);
        ant_mutex_unlock(&mutex);
    }
    ant_waitgroup_done(&wg);
}

static int run(void *arg)
{
    ant_waitgroup_add(&wg, GOROUTINES);
    for (int i = 0; i < GOROUTINES; i++)
        CHECK_INT(ant_go(count, NULL), 0);
    ant_waitgroup_wait(&wg);
    CHECK_INT(counter, GOROUTINES * test_scale(ROUNDS));
    ant_mutex_lock_contended(&mutex); /* nobody holds it: that is no matter */
    CHECK(!ant_mutex_try_lock(&mutex));
    ant_mutex_unlock(&mutex);
    return 0;
}

TEST(mutex_contended)
{
    return ant_run(run, NULL, NULL);
}
