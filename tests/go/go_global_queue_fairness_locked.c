/* go_global_queue_fairness_locked.c - the same as go_global_queue_fairness when what keeps the P's
 * own queue from emptying is tied to a thread.
 *
 * Catches: each look of another thread for work renews the P's budget, so that the turn of the
 * global queue never comes. (Then this hangs.)
 */
#include <pthread.h>
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"

enum { FROM_THREAD = 5, YIELDERS = 3 };

static _Atomic bool stop;
static ant_waitgroup ran, ended;

static void yielder(void *arg)
{
    CHECK_INT(ant_lock_thread(), 0);
    while (!atomic_load(&stop))
        ant_yield();
    ant_waitgroup_done(&ended);
}

static void foreigner(void *arg)
{
    ant_waitgroup_done(&ran);
}

static void *make(void *arg)
{
    for (int i = 0; i < FROM_THREAD; i++)
        CHECK_INT(ant_go(foreigner, NULL), 0);
    return NULL;
}

static int run(void *arg)
{
    pthread_t thread;

    ant_waitgroup_add(&ended, YIELDERS);
    for (int i = 0; i < YIELDERS; i++)
        CHECK_INT(ant_go(yielder, NULL), 0);
    for (int i = 0; i < 10; i++)
        ant_yield();
    ant_waitgroup_add(&ran, FROM_THREAD);
    CHECK_INT(pthread_create(&thread, NULL, make, NULL), 0);
    pthread_join(thread, NULL); /* blocks the only P */
    ant_waitgroup_wait(&ran);
    atomic_store(&stop, true);
    ant_waitgroup_wait(&ended);
    return 0;
}

TEST(go_global_queue_fairness_locked)
{
    return ant_run(run, NULL, &(ant_config){.procs = 1});
}
