/* cache_idle_stop - the runtime is stopped while it frees objects because it is idle, and what frees one of
 * them calls the runtime, which abandons it: the cache can be destroyed all the same.
 *
 * Catches: waiting for a goroutine that will never go on. */
#include <pthread.h>
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"

enum { MANY = 40 };

static int fds[2];
static atomic_int began;
static char objects[MANY];

static void destroy(void *object, void *arg)
{
    char byte;

    if (atomic_fetch_add(&began, 1) == 0) {
        CHECK_INT(read(fds[0], &byte, 1), 1);
        ant_yield();
    }
}

static void nothing(void *arg)
{
}

static void *stop(void *arg)
{
    CHECK_INT(ant_stop(), 0);
    return NULL;
}

TEST(cache_idle_stop)
{
    const ant_config config = {.procs = 1, .stop_timeout = 10 * ANT_SECOND};
    ant_cache *cache;
    pthread_t stopper;

    CHECK_INT(pipe(fds), 0);
    CHECK_INT(ant_start(&config), 0);
    CHECK_INT(ant_cache_new(&cache, NULL, destroy, NULL), 0);
    for (int i = 0; i < MANY; i++)
        ant_cache_put(cache, &objects[i]);
    CHECK_INT(ant_go(nothing, NULL), 0); /* wakes a thread, which then is idle for a while */
    while (atomic_load(&began) == 0)
        usleep(1000);
    CHECK_INT(pthread_create(&stopper, NULL, stop, NULL), 0);
    usleep(100000); /* it has begun to stop, and waits */
    CHECK_INT(write(fds[1], "x", 1), 1);
    CHECK_INT(pthread_join(stopper, NULL), 0);
    ant_cache_destroy(cache);
    close(fds[0]);
    close(fds[1]);
    return 0;
}
