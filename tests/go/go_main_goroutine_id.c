/* go_main_goroutine_id.c - the main goroutine is number 1, in every run; other numbers are never
 * used twice; outside of goroutines it is 0.
 *
 * Catches: goroutines of the runtime's own take the first numbers; two Ps hand out the same ones.
 */
#include <pthread.h>
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"

enum { GOROUTINES = 2000 };

static _Atomic bool used[64 * GOROUTINES]; /* each P takes numbers in batches */
static ant_waitgroup ended;

static void take_number(void *arg)
{
    uint64_t id = ant_id();

    CHECK(id > 1 && id < sizeof used / sizeof used[0]);
    CHECK(!atomic_exchange(&used[id], true));
    ant_yield();
    CHECK_INT(ant_id(), id);
    ant_waitgroup_done(&ended);
}

static void *from_thread(void *arg)
{
    CHECK_INT(ant_id(), 0);
    for (int i = 0; i < test_scale(GOROUTINES) / 10; i++)
        CHECK_INT(ant_go(take_number, NULL), 0);
    return NULL;
}

static int run(void *arg)
{
    int n = test_scale(GOROUTINES);
    pthread_t thread;

    CHECK_INT(ant_id(), 1);
    for (int i = 0; i < (int)(sizeof used / sizeof used[0]); i++)
        atomic_store_explicit(&used[i], false, memory_order_relaxed);
    ant_waitgroup_add(&ended, n + n / 10);
    CHECK_INT(pthread_create(&thread, NULL, from_thread, NULL), 0);
    for (int i = 0; i < n; i++)
        CHECK_INT(ant_go(take_number, NULL), 0);
    ant_waitgroup_wait(&ended);
    pthread_join(thread, NULL);
    CHECK_INT(ant_id(), 1);
    return 0;
}

TEST(go_main_goroutine_id)
{
    CHECK_INT(ant_id(), 0);
    for (int i = 0; i < 3; i++)
        CHECK_INT(ant_run(run, NULL, NULL), 0);
    CHECK_INT(ant_id(), 0);
    return 0;
}
