/* sem_too_large - a request that can never be met is refused at once, and keeps nobody waiting,
 * however often it is made. */
#include <errno.h>
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"

enum { CAPACITY = 2, USERS = 6 };

static ant_sem sem = ANT_SEM(CAPACITY);
static ant_waitgroup greedy, users;
static atomic_bool stop;

static void ask_too_much(void *arg)
{
    while (!atomic_load(&stop)) {
        CHECK_INT(ant_sem_acquire(&sem, CAPACITY + 1), -EINVAL);
        ant_yield();
    }
    ant_waitgroup_done(&greedy);
}

static void user(void *arg)
{
    for (int i = 0; i < test_scale(1000); i++) {
        CHECK_INT(ant_sem_acquire(&sem, 1), 0);
        ant_yield();
        ant_sem_release(&sem, 1);
    }
    ant_waitgroup_done(&users);
}

static int run(void *arg)
{
    ant_waitgroup_add(&greedy, 1);
    CHECK_INT(ant_go(ask_too_much, NULL), 0);
    ant_waitgroup_add(&users, USERS);
    for (int i = 0; i < USERS; i++)
        CHECK_INT(ant_go(user, NULL), 0);
    ant_waitgroup_wait(&users);
    atomic_store(&stop, true);
    ant_waitgroup_wait(&greedy);
    CHECK_INT(ant_sem_try_acquire(&sem, CAPACITY), 0);
    return 0;
}

TEST(sem_too_large)
{
    return ant_run(run, NULL, NULL);
}
