/* mutex_handover - once one has waited for more than a millisecond the mutex is handed to it: who
 * unlocks and tries again at once gets it twice at most, then fails. Others lock in passing again
 * afterwards. Those that wait get it in the order in which they came. */
#include <anthill.h>

#include "check.h"
#include "one_p.h"

enum { WAITERS = 20 };

static ant_mutex mutex;
static ant_waitgroup wg;
static int order[WAITERS], begun, got;

/* With one P, who has begun waits when somebody else runs. */
static void waiter(void *arg)
{
    begun++;
    ant_mutex_lock(&mutex);
    order[got++] = (int)(intptr_t)arg;
    ant_mutex_unlock(&mutex);
    ant_waitgroup_done(&wg);
}

static void start(int n)
{
    begun = got = 0;
    ant_waitgroup_add(&wg, n);
    for (int i = 0; i < n; i++) {
        CHECK_INT(ant_go(waiter, (void *)(intptr_t)i), 0);
        while (begun <= i)
            ant_yield();
    }
}

static void check_order(int n)
{
    CHECK_INT(got, n);
    for (int i = 0; i < n; i++)
        CHECK_INT(order[i], i);
}

static void in_order(void)
{
    ant_mutex_lock(&mutex);
    start(WAITERS);
    CHECK_INT(got, 0);
    ant_mutex_unlock(&mutex);
    ant_waitgroup_wait(&wg);
    check_order(WAITERS);
}

static void handed_over(int waiters)
{
    int turns = 0;

    ant_mutex_lock(&mutex);
    start(waiters);
    ant_sleep(2 * ANT_MILLISECOND);
    for (ant_mutex_unlock(&mutex); ant_mutex_try_lock(&mutex); ant_mutex_unlock(&mutex)) {
        CHECK(++turns <= 2);
        ant_yield();
    }
    ant_mutex_lock(&mutex); /* behind all that have waited so long */
    check_order(waiters);
    ant_mutex_unlock(&mutex);
    ant_waitgroup_wait(&wg);
    CHECK(ant_mutex_try_lock(&mutex));
    ant_mutex_unlock(&mutex);
}

static int run(void *arg)
{
    for (int i = 0; i < 10; i++) {
        in_order();
        handed_over(1);
        handed_over(WAITERS);
    }
    return 0;
}

TEST(mutex_handover)
{
    return run_on_one_p(run);
}
