/* The main goroutine is number 1, also if other threads start goroutines at the same time; and at its end
 * its local values are destroyed, as those of any other.
 *
 * Catches: numbers given out in the order of starting; a main goroutine that is left as it is. */
#include <pthread.h>
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"

enum { RUNS = 100 };

static atomic_bool stop;
static atomic_int ones;
static int destroyed;
static ant_local key;

static void look(void *arg)
{
    atomic_fetch_add(&ones, ant_id() == 1);
}

static void *start_others(void *arg)
{
    while (!atomic_load(&stop))
        ant_go(look, NULL);
    return NULL;
}

static void destroy(void *value)
{
    CHECK(value == &destroyed);
    destroyed++;
}

static int run(void *arg)
{
    CHECK_INT(ant_id(), 1);
    CHECK_INT(ant_local_set(key, &destroyed), 0);
    return 0;
}

TEST(life_main)
{
    int runs = test_scale_least(RUNS, 10);
    pthread_t thread;

    CHECK_INT(ant_local_new(&key, destroy), 0);
    CHECK_INT(pthread_create(&thread, NULL, start_others, NULL), 0);
    for (int i = 0; i < runs; i++)
        CHECK_INT(ant_run(run, NULL, NULL), 0);
    atomic_store(&stop, true);
    CHECK_INT(pthread_join(thread, NULL), 0);
    CHECK_INT(atomic_load(&ones), 0);
    CHECK_INT(destroyed, runs);
    return 0;
}
