/* life_done_while_stopping - a plain thread brings a group to zero while the runtime stops whose
 * goroutines wait for it: they are abandoned, and done touches nothing of theirs. */
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
    int round = *(int *)arg;

    while (atomic_load(&stage) < 1)
        continue;
    for (volatile int i = 0; i < round % 16 * 500; i++)
        continue;
    ant_waitgroup_done(&wg);
    return NULL;
}

TEST(life_done_while_stopping)
{
    for (int round = 0; round < test_scale(500); round++) {
        pthread_t t;

        atomic_store(&stage, 0);
        ant_waitgroup_add(&wg, 1);
        CHECK_INT(pthread_create(&t, NULL, done, &round), 0);
        CHECK_INT(ant_start(&(ant_config){.stop_timeout = ANT_MINUTE}), 0);
        ant_waitgroup_add(&begun, 20);
        for (int i = 0; i < 20; i++)
            CHECK_INT(ant_go(waiter, NULL), 0);
        ant_waitgroup_wait(&begun);
        atomic_store(&stage, 1);
        CHECK_INT(ant_stop(), 0);
        CHECK_INT(pthread_join(t, NULL), 0);
    }
    return 0;
}
