/* go_global_queue_batch.c - a P whose own queue is empty takes its share of the global queue at once,
 * not one goroutine after the other.
 *
 * Catches: each goroutine that another thread made costs the lock of all Ps.
 */
#include <pthread.h>
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"
#include "one_p.h"
#include "runtime/runtime.h"

enum { FROM_THREAD = 100, ROUNDS = 1000 };

static ant_waitgroup ran;
static int at_hand; /* most that the P had in its own queue: only what it took can be there */

static void foreigner(void *arg)
{
    int n = ant__runq_len(&ant__p_at(0)->runq);

    if (n > at_hand)
        at_hand = n;
    ant_waitgroup_done(&ran);
}

static void *make(void *arg)
{
    for (int i = 0; i < FROM_THREAD; i++)
        CHECK_INT(ant_go(foreigner, NULL), 0);
    return NULL;
}

/* Joining blocks the only P, so that they wait in the global queue; unless it takes so long that
 * another thread gets the P and runs them as they come. Hence the rounds. */
static int run(void *arg)
{
    pthread_t thread;

    for (int i = 0; i < ROUNDS && at_hand < FROM_THREAD / 2; i++) {
        ant_waitgroup_add(&ran, FROM_THREAD);
        CHECK_INT(pthread_create(&thread, NULL, make, NULL), 0);
        pthread_join(thread, NULL);
        ant_waitgroup_wait(&ran);
    }
    CHECK(at_hand >= FROM_THREAD / 2);
    return 0;
}

TEST(go_global_queue_batch)
{
    return run_with_procs_1(run);
}
