/* sem_order - first come, first served: nobody passes those that wait, not even with a request for
 * nothing or by trying; a release serves from the head of the queue all that it can, and stops at
 * the first that it cannot. */
#include <errno.h>

#include <anthill.h>

#include "check.h"
#include "one_p.h"

static ant_sem sem;
static ant_waitgroup wg;
static int begun, order[8], served; /* with one P these need no lock */

struct request {
    int id, n;
};

static void waiter(void *arg)
{
    struct request *r = arg;

    begun++;
    CHECK_INT(ant_sem_acquire(&sem, r->n), 0);
    order[served++] = r->id;
    ant_waitgroup_done(&wg);
}

/* With one P, who has begun waits when somebody else runs. */
static void start(struct request *requests, int n)
{
    begun = served = 0;
    ant_waitgroup_add(&wg, n);
    for (int i = 0; i < n; i++) {
        requests[i].id = i;
        CHECK_INT(ant_go(waiter, &requests[i]), 0);
        while (begun <= i)
            ant_yield();
    }
}

static void check_served(int n)
{
    for (int i = 0; i < 20; i++)
        ant_yield();
    CHECK_INT(served, n);
    for (int i = 0; i < n; i++)
        CHECK_INT(order[i], i);
}

static int run(void *arg)
{
    struct request requests[] = {{.n = 3}, {.n = 1}, {.n = 0}, {.n = 10}, {.n = 1}, {.n = 2}};

    CHECK_INT(ant_sem_init(&sem, 10), 0);
    CHECK_INT(ant_sem_acquire(&sem, 8), 0);
    start(requests, 6);
    check_served(0);
    CHECK_INT(ant_sem_try_acquire(&sem, 1), -EAGAIN); /* two are free, but others come first */
    CHECK_INT(ant_sem_try_acquire(&sem, 0), -EAGAIN);
    ant_sem_release(&sem, 1);
    check_served(1); /* 3 of 3 */
    ant_sem_release(&sem, 1);
    check_served(3); /* 1 and 0; the next wants all */
    ant_sem_release(&sem, 6);
    CHECK_INT(ant_sem_try_acquire(&sem, 1), -EAGAIN); /* six are free */
    check_served(3);
    ant_sem_release(&sem, 3);
    check_served(3); /* nine are free */
    ant_sem_release(&sem, 1);
    check_served(4);
    ant_sem_release(&sem, 10);
    check_served(6);
    ant_waitgroup_wait(&wg);
    CHECK_INT(ant_sem_try_acquire(&sem, 8), -EAGAIN);
    CHECK_INT(ant_sem_try_acquire(&sem, 7), 0);
    return 0;
}

TEST(sem_order)
{
    return run_on_one_p(run);
}
