/* rwmutex_no_starvation - readers that always overlap do not keep a writer out, and writers one
 * after the other do not keep a reader out. */
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"

enum { CROWD = 6 };

static ant_rwmutex rw;
static ant_waitgroup wg;
static atomic_bool stop;
static atomic_uint came; /* of the crowd, so far */

/* Goes when another reader has come, so that it is never free, unless none comes for long: they
 * wait behind the writer then. */
static void keep_reading(void *arg)
{
    while (!atomic_load(&stop)) {
        unsigned mine;

        ant_rwmutex_rlock(&rw);
        mine = atomic_fetch_add(&came, 1) + 1;
        for (int i = 0; i < 100 && atomic_load(&came) == mine; i++)
            ant_yield();
        ant_rwmutex_runlock(&rw);
    }
    ant_waitgroup_done(&wg);
}

static void keep_writing(void *arg)
{
    while (!atomic_load(&stop)) {
        ant_rwmutex_lock(&rw);
        atomic_fetch_add(&came, 1);
        ant_yield();
        ant_rwmutex_unlock(&rw);
    }
    ant_waitgroup_done(&wg);
}

static void start(void (*fn)(void *))
{
    atomic_store(&stop, false);
    ant_waitgroup_add(&wg, CROWD);
    for (int i = 0; i < CROWD; i++)
        CHECK_INT(ant_go(fn, NULL), 0);
}

/* Until it is in use again. */
static void let_others_come(void)
{
    unsigned before = atomic_load(&came);

    while (atomic_load(&came) - before < 3)
        ant_yield();
}

static int run(void *arg)
{
    int turns = test_scale(1000);

    start(keep_reading);
    for (int i = 0; i < turns; i++) {
        let_others_come();
        ant_rwmutex_lock(&rw);
        ant_rwmutex_unlock(&rw);
    }
    atomic_store(&stop, true);
    ant_waitgroup_wait(&wg);

    start(keep_writing);
    for (int i = 0; i < turns; i++) {
        let_others_come();
        ant_rwmutex_rlock(&rw);
        ant_rwmutex_runlock(&rw);
    }
    atomic_store(&stop, true);
    ant_waitgroup_wait(&wg);
    return 0;
}

TEST(rwmutex_no_starvation)
{
    return ant_run(run, NULL, NULL);
}
