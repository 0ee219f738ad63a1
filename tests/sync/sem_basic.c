/* sem_basic - the results of trying and acquiring around releases, capacities from none to the
 * largest, and what is refused: negative numbers, more than there can be. With a runtime and
 * without. */
#include <errno.h>

#include <anthill.h>

#include "check.h"

static void init(void)
{
    ant_sem sem;

    CHECK_INT(ant_sem_init(&sem, -1), -EINVAL);
    CHECK_INT(ant_sem_init(&sem, ANT_SEM_MAX + 1), -EINVAL);
    CHECK_INT(ant_sem_init(&sem, INT64_MAX), -EINVAL);
    CHECK_INT(ant_sem_init(&sem, INT64_MIN), -EINVAL);
    CHECK_INT(ant_sem_init(NULL, 1), -EINVAL);
    CHECK_INT(ant_sem_init(&sem, 3), 0);
    CHECK_INT(ant_sem_try_acquire(&sem, 3), 0);
    CHECK_INT(ant_sem_init(&sem, 1), 0); /* as new */
    CHECK_INT(ant_sem_try_acquire(&sem, 1), 0);
    CHECK_INT(ant_sem_try_acquire(&sem, 1), -EAGAIN);
}

static void one_by_one(void)
{
    ant_sem sem = ANT_SEM(2);

    CHECK_INT(ant_sem_try_acquire(&sem, 1), 0);
    CHECK_INT(ant_sem_try_acquire(&sem, 2), -EAGAIN);
    CHECK_INT(ant_sem_acquire(&sem, 1), 0);
    CHECK_INT(ant_sem_try_acquire(&sem, 1), -EAGAIN);
    CHECK_INT(ant_sem_try_acquire(&sem, 0), 0);
    ant_sem_release(&sem, 2);
    CHECK_INT(ant_sem_try_acquire(&sem, 2), 0);
    CHECK_INT(ant_sem_try_acquire(&sem, 1), -EAGAIN);
    ant_sem_release(&sem, 1);
    ant_sem_release(&sem, 0);
    CHECK_INT(ant_sem_acquire_ctx(&sem, 1, NULL), 0);
    ant_sem_release(&sem, 1);
    ant_sem_release(&sem, 1);
}

static void refused(void)
{
    ant_sem sem = ANT_SEM(2);
    ant_ctx *canceled;

    CHECK_INT(ant_sem_acquire(&sem, 3), -EINVAL);
    CHECK_INT(ant_sem_acquire(&sem, -1), -EINVAL);
    CHECK_INT(ant_sem_acquire(&sem, INT64_MAX), -EINVAL);
    CHECK_INT(ant_sem_acquire(&sem, INT64_MIN), -EINVAL);
    CHECK_INT(ant_sem_try_acquire(&sem, 3), -EINVAL);
    CHECK_INT(ant_sem_try_acquire(&sem, -1), -EINVAL);
    CHECK_INT(ant_sem_acquire_ctx(&sem, 3, NULL), -EINVAL);
    CHECK_INT(ant_ctx_with_cancel(&canceled, NULL), 0);
    CHECK_INT(ant_sem_acquire_ctx(&sem, 3, canceled), -EINVAL);
    CHECK_INT(ant_sem_try_acquire(&sem, 2), 0); /* nothing was taken */
    ant_ctx_unref(canceled);
}

static void none_and_most(void)
{
    ant_sem none = {0}, most = ANT_SEM(ANT_SEM_MAX);

    CHECK_INT(ant_sem_acquire(&none, 0), 0);
    CHECK_INT(ant_sem_acquire(&none, 1), -EINVAL);
    CHECK_INT(ant_sem_try_acquire(&none, 0), 0);
    ant_sem_release(&none, 0);
    CHECK_INT(ant_sem_acquire(&most, ANT_SEM_MAX), 0);
    CHECK_INT(ant_sem_try_acquire(&most, 1), -EAGAIN);
    ant_sem_release(&most, 1);
    CHECK_INT(ant_sem_try_acquire(&most, 2), -EAGAIN);
    CHECK_INT(ant_sem_try_acquire(&most, 1), 0);
    ant_sem_release(&most, ANT_SEM_MAX);
    CHECK_INT(ant_sem_try_acquire(&most, ANT_SEM_MAX), 0);
}

static int run(void *arg)
{
    init();
    one_by_one();
    refused();
    none_and_most();
    return 0;
}

TEST(sem_basic)
{
    run(NULL);
    return ant_run(run, NULL, NULL);
}
