/* group_limit - TestGoLimit of Go's errgroup: with a limit of ten never more than ten functions run
 * at a time, of a thousand; all of them run. Started by a goroutine, a plain thread and both. */
#include <pthread.h>
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"

enum { LIMIT = 10, TASKS = 1025 };

static ant_group group;
static atomic_int active, ran;

static int task(void *arg)
{
    int now = atomic_fetch_add(&active, 1) + 1;

    if (now > LIMIT)
        FAIL("%d run at a time", now);
    for (int i = 0; i < 3; i++)
        ant_yield();
    atomic_fetch_sub(&active, 1);
    atomic_fetch_add(&ran, 1);
    return 0;
}

static void *start_all(void *arg)
{
    for (int i = 0; i < TASKS; i++)
        CHECK_INT(ant_group_go(&group, task, NULL), 0);
    return NULL;
}

static void play(bool by_goroutine, bool by_thread)
{
    int all = TASKS * (by_goroutine + by_thread);
    pthread_t t;

    atomic_store(&ran, 0);
    CHECK_INT(ant_group_set_limit(&group, LIMIT), 0);
    if (by_thread)
        CHECK_INT(pthread_create(&t, NULL, start_all, NULL), 0);
    if (by_goroutine)
        start_all(NULL);
    while (atomic_load(&ran) < all) /* the join holds a P, which they need */
        ant_yield();
    if (by_thread)
        CHECK_INT(pthread_join(t, NULL), 0);
    CHECK_INT(ant_group_wait(&group), 0);
    CHECK_INT(atomic_load(&ran), all);
}

static int run(void *arg)
{
    for (int i = 0; i < test_scale(20); i++) {
        play(true, false);
        play(false, true);
        play(true, true);
    }
    return 0;
}

TEST(group_limit)
{
    return ant_run(run, NULL, NULL);
}
