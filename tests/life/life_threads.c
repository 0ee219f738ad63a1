/* life_threads - the runtime may be started by one thread, used by a second and stopped by a third;
 * when many try at once exactly one succeeds. */
#include <pthread.h>
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"

enum { THREADS = 6 };

static atomic_int started, stopped, refused;
static ant_waitgroup wg;

static void goroutine(void *arg)
{
    ant_waitgroup_done(&wg);
}

static void *start(void *arg)
{
    int err = ant_start(NULL);

    CHECK(err == 0 || err == ANT_ERUNNING);
    atomic_fetch_add(err ? &refused : &started, 1);
    return NULL;
}

static void *use(void *arg)
{
    CHECK_INT(ant_go(goroutine, NULL), 0);
    return NULL;
}

static void *stop(void *arg)
{
    int err = ant_stop();

    CHECK(err == 0 || err == ANT_ENOTRUNNING);
    atomic_fetch_add(err ? &refused : &stopped, 1);
    return NULL;
}

static void in_threads(void *(*fn)(void *))
{
    pthread_t threads[THREADS];

    for (int i = 0; i < THREADS; i++)
        CHECK_INT(pthread_create(&threads[i], NULL, fn, NULL), 0);
    for (int i = 0; i < THREADS; i++)
        CHECK_INT(pthread_join(threads[i], NULL), 0);
}

TEST(life_threads)
{
    for (int i = 0; i < test_scale_least(100, 30); i++) {
        atomic_store(&started, 0);
        atomic_store(&stopped, 0);
        atomic_store(&refused, 0);
        in_threads(start);
        CHECK_INT(atomic_load(&started), 1);
        ant_waitgroup_add(&wg, THREADS);
        in_threads(use);
        ant_waitgroup_wait(&wg);
        in_threads(stop);
        CHECK_INT(atomic_load(&stopped), 1);
        CHECK_INT(atomic_load(&refused), 2 * THREADS - 2);
    }
    return 0;
}
