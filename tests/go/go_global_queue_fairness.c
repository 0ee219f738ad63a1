/* go_global_queue_fairness.c - on one P goroutines that another thread made, which are in the
 * global queue, get their turn while the P's own queue never empties: after a bounded number of
 * slices.
 *
 * Catches: the global queue is looked at only when the own one is empty. (Then this hangs.)
 */
#include <pthread.h>
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"
#include "one_p.h"

/* A stride of up to 61 may begin just before the 61 slices are over. */
enum { FROM_THREAD = 100, SLICES_FOR_EACH = 2 * 61 };

static _Atomic bool stop;
static _Atomic long slices;
static ant_waitgroup ran, ended;

static void yielder(void *arg)
{
    while (!atomic_load(&stop)) {
        atomic_fetch_add(&slices, 1);
        ant_yield();
    }
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
    long before;

    ant_waitgroup_add(&ended, 3);
    for (int i = 0; i < 3; i++)
        CHECK_INT(ant_go(yielder, NULL), 0);
    while (atomic_load(&slices) < 10000) /* so that strides are as long as they get */
        ant_yield();
    ant_waitgroup_add(&ran, FROM_THREAD);
    CHECK_INT(pthread_create(&thread, NULL, make, NULL), 0);
    pthread_join(thread, NULL); /* blocks the only P */
    before = atomic_load(&slices);
    ant_waitgroup_wait(&ran);
    CHECK(atomic_load(&slices) - before < FROM_THREAD * SLICES_FOR_EACH);
    atomic_store(&stop, true);
    ant_waitgroup_wait(&ended);
    return 0;
}

TEST(go_global_queue_fairness)
{
    return run_with_procs_1(run);
}
