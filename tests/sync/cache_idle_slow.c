/* cache_idle_slow - what the runtime calls to free objects when it is idle may take its time, and wait for
 * something that a goroutine does: timers come in time, goroutines run, and nobody takes it for a
 * deadlock.
 *
 * Catches: calling it on a thread that counts as idle, and watches over the timers. */
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"

enum { MANY = 40, AT_HAND = 8 };

static int fds[2];
static atomic_int began, destroyed;
static ant_chan *told;

static void destroy(void *object, void *arg)
{
    char byte;

    atomic_fetch_add(&began, 1);
    CHECK_INT(read(fds[0], &byte, 1), 1);
    atomic_fetch_add(&destroyed, 1);
    ant_chan_try_send(told, &object);
    free(object);
}

static int run(void *arg)
{
    ant_cache *cache;
    void *object;

    CHECK_INT(ant_chan_new(&told, sizeof object, MANY), 0);
    CHECK_INT(ant_cache_new(&cache, NULL, destroy, NULL), 0);
    for (int i = 0; i < MANY; i++)
        ant_cache_put(cache, malloc(1));
    while (atomic_load(&began) == 0)
        ant_sleep(1200 * ANT_MILLISECOND); /* idle */
    CHECK_INT(atomic_load(&destroyed), 0);
    ant_sleep(10 * ANT_MILLISECOND);
    for (int i = 0; i < MANY; i++)
        CHECK_INT(write(fds[1], "x", 1), 1);
    for (int i = 0; i < MANY - AT_HAND; i++)
        CHECK(ant_chan_recv(told, &object));
    ant_cache_destroy(cache);
    CHECK_INT(atomic_load(&destroyed), MANY);
    CHECK_INT(ant_chan_destroy(told), 0);
    return 0;
}

TEST(cache_idle_slow)
{
    const ant_config config = {.procs = 1};

    CHECK_INT(pipe(fds), 0);
    CHECK_INT(ant_run(run, NULL, &config), 0);
    close(fds[0]);
    close(fds[1]);
    return 0;
}
