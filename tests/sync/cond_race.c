/* cond_race - Go's TestRace for conditions: three hand a number on from one to the next, each
 * waiting for the step before its own; two of them look by polling, so that waits and signals meet
 * in every order. */
#include <anthill.h>

#include "check.h"

static ant_mutex mutex;
static ant_cond cond;
static ant_waitgroup wg;
static int step; /* the mutex guards it */

/* Begins, waits for the second step, does the third. */
static void first(void *arg)
{
    ant_mutex_lock(&mutex);
    step = 1;
    ant_cond_wait(&cond, &mutex);
    CHECK_INT(step, 2);
    step = 3;
    ant_cond_signal(&cond);
    ant_mutex_unlock(&mutex);
    ant_waitgroup_done(&wg);
}

static void let_go_for_a_moment(void)
{
    ant_mutex_unlock(&mutex);
    ant_yield();
    ant_mutex_lock(&mutex);
}

static void second(void *arg)
{
    ant_mutex_lock(&mutex);
    while (step != 1)
        let_go_for_a_moment();
    step = 2;
    ant_cond_signal(&cond);
    ant_mutex_unlock(&mutex);
    ant_waitgroup_done(&wg);
}

/* Waits for the third step, unless it comes too late for that. */
static void third(void *arg)
{
    ant_mutex_lock(&mutex);
    while (step < 2)
        let_go_for_a_moment();
    if (step == 2) {
        ant_cond_wait(&cond, &mutex);
        CHECK_INT(step, 3);
    }
    ant_mutex_unlock(&mutex);
    ant_waitgroup_done(&wg);
}

static int run(void *arg)
{
    for (int i = 0; i < test_scale(5000); i++) {
        step = 0;
        ant_waitgroup_add(&wg, 3);
        CHECK_INT(ant_go(first, NULL), 0);
        CHECK_INT(ant_go(second, NULL), 0);
        CHECK_INT(ant_go(third, NULL), 0);
        ant_waitgroup_wait(&wg);
    }
    return 0;
}

TEST(cond_race)
{
    return ant_run(run, NULL, NULL);
}
