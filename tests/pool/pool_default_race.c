/* pool_default_race - threads ask for the default pool all the time while one run of the runtime
 * follows the other: they get none, or that of the run at hand, and nobody looks at the last run's
 * pool when it is freed. */
#include <pthread.h>
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"

enum { THREADS = 3 };

static atomic_bool stop;
static atomic_int ran;

static void *ask(void *arg)
{
    while (!atomic_load(&stop))
        ant_default_pool();
    return NULL;
}

static void count(void *arg)
{
    CHECK(ant_default_pool());
    atomic_fetch_add(&ran, 1);
}

static int run(void *arg)
{
    atomic_store(&ran, 0);
    for (int i = 0; i < 4; i++)
        CHECK_INT(ant_submit(count, NULL), 0);
    CHECK_INT(ant_pool_wait(ant_default_pool()), 0);
    CHECK_INT(atomic_load(&ran), 4);
    return 0;
}

TEST(pool_default_race)
{
    double end = test_now() + torture_seconds(0.3);
    pthread_t threads[THREADS];

    for (int i = 0; i < THREADS; i++)
        CHECK_INT(pthread_create(&threads[i], NULL, ask, NULL), 0);
    while (test_now() < end)
        CHECK_INT(ant_run(run, NULL, NULL), 0);
    atomic_store(&stop, true);
    for (int i = 0; i < THREADS; i++)
        CHECK_INT(pthread_join(threads[i], NULL), 0);
    return 0;
}
