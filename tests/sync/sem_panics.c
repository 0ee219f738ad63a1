/* sem_panics - releasing more than is taken, or a negative number, is a panic, which can be caught;
 * the permits are as they were. In goroutines and threads, and while others wait. */
#include <errno.h>

#include <anthill.h>

#include "check.h"

static ant_sem sem;
static ant_waitgroup wg;

static void release(void *n)
{
    ant_sem_release(&sem, *(int64_t *)n);
    FAIL("should panic");
}

static void check_panics(int64_t n)
{
    ant_panic_info info;

    CHECK_INT(ant_try(release, &n, &info), ANT_EPANIC);
    CHECK_HAS(info.message, "ant_sem_release: ");
}

static void alone(void)
{
    CHECK_INT(ant_sem_init(&sem, 5), 0);
    check_panics(1);
    check_panics(-1);
    check_panics(INT64_MIN);
    check_panics(INT64_MAX);
    CHECK_INT(ant_sem_try_acquire(&sem, 2), 0);
    check_panics(3);
    check_panics(-2);
    CHECK_INT(ant_sem_try_acquire(&sem, 4), -EAGAIN);
    CHECK_INT(ant_sem_try_acquire(&sem, 3), 0);
    check_panics(6);
    ant_sem_release(&sem, 5);
    check_panics(1);
    CHECK_INT(ant_sem_try_acquire(&sem, 5), 0);
}

static void waiter(void *arg)
{
    CHECK_INT(ant_sem_acquire(&sem, 5), 0);
    ant_sem_release(&sem, 5);
    ant_waitgroup_done(&wg);
}

static void beside_waiter(void)
{
    CHECK_INT(ant_sem_init(&sem, 5), 0);
    CHECK_INT(ant_sem_acquire(&sem, 2), 0);
    ant_waitgroup_add(&wg, 1);
    CHECK_INT(ant_go(waiter, NULL), 0);
    while (ant_sem_try_acquire(&sem, 0) == 0) /* until it waits */
        ant_yield();
    check_panics(3);
    check_panics(-1);
    CHECK_INT(ant_sem_try_acquire(&sem, 1), -EAGAIN);
    ant_sem_release(&sem, 2);
    ant_waitgroup_wait(&wg);
    CHECK_INT(ant_sem_try_acquire(&sem, 5), 0);
}

static int run(void *arg)
{
    alone();
    for (int i = 0; i < test_scale(200); i++)
        beside_waiter();
    return 0;
}

TEST(sem_panics)
{
    alone();
    return ant_run(run, NULL, NULL);
}
