/* life_done_after_stop - a plain thread brings a group to zero after the runtime has stopped whose
 * goroutines waited for it: they are abandoned, and done touches nothing of theirs. */
#include <pthread.h>
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"

static ant_waitgroup wg, begun;
static atomic_int stage;

static void waiter(void *arg)
{
    ant_waitgroup_done(&begun);
    ant_waitgroup_wait(&wg);
    ant_yield();
}

static void *done(void *arg)
{
    while (atomic_load(&stage) < 2)
        continue;
    ant_waitgroup_done(&wg);
    return NULL;
}

TEST(life_done_after_stop)
{
    for (int round = 0; round < 10; round++) {
        pthread_t t;

        atomic_store(&stage, 0);
        ant_waitgroup_add(&wg, 1);
        CHECK_INT(pthread_create(&t, NULL, done, NULL), 0);
        CHECK_INT(ant_start(NULL), 0);
        ant_waitgroup_add(&begun, 20);
        for (int i = 0; i < 20; i++)
            CHECK_INT(ant_go(waiter, NULL), 0);
        ant_waitgroup_wait(&begun);
        CHECK_INT(ant_stop(), 0);
        atomic_store(&stage, 2);
        CHECK_INT(pthread_join(t, NULL), 0);
    }
    return 0;
}
