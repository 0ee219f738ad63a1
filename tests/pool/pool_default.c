/* pool_default - the default pool is there without being made, in each run of the runtime anew,
 * for goroutines and threads, many of which use it at once at the very beginning of a run.
 * Without a run there is none. */
#include <pthread.h>
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"

enum { USERS = 10 };

static atomic_int ran, users;

static void count(void *arg)
{
    atomic_fetch_add(&ran, 1);
}

static void count_copy(void *arg)
{
    CHECK_INT(*(int *)arg, 4711);
    atomic_fetch_add(&ran, 1);
}

static void use(void *arg)
{
    CHECK_INT(ant_submit(count, NULL), 0);
    CHECK_INT(ant_submit_copy(count_copy, &(int){4711}, sizeof(int)), 0);
    atomic_fetch_add(&users, 1);
}

static void *use_in_thread(void *arg)
{
    while (!ant_default_pool())
        sched_yield();
    use(NULL);
    return NULL;
}

static int run(void *arg)
{
    ant_pool_stats stats;

    for (int i = 0; i < USERS; i++)
        CHECK_INT(ant_go(use, NULL), 0);
    while (atomic_load(&users) < USERS + 1)
        ant_yield();
    CHECK_INT(ant_pool_wait(ant_default_pool()), 0);
    CHECK_INT(atomic_load(&ran), 2 * (USERS + 1));
    CHECK_INT(ant_pool_stats_get(ant_default_pool(), &stats), 0);
    CHECK_INT(stats.started, 2 * (USERS + 1));
    CHECK_INT(stats.capacity, INT32_MAX);
    return 0;
}

static void no_run(void)
{
    CHECK(!ant_default_pool());
    CHECK_INT(ant_submit(count, NULL), ANT_ENOTRUNNING);
    CHECK_INT(ant_submit_copy(count, "", 1), ANT_ENOTRUNNING);
}

TEST(pool_default)
{
    for (int i = 0; i < test_scale(200); i++) {
        pthread_t thread;

        no_run();
        atomic_store(&ran, 0);
        atomic_store(&users, 0);
        CHECK_INT(pthread_create(&thread, NULL, use_in_thread, NULL), 0);
        CHECK_INT(ant_run(run, NULL, NULL), 0);
        CHECK_INT(pthread_join(thread, NULL), 0);
    }
    no_run();
    return 0;
}
