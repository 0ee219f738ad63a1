/* cache_idle - when all has been idle for a while, the runtime frees what lies in caches, but for
 * the few at hand, without being asked. */
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"

enum { MANY = 100, AT_HAND = 8 };

static atomic_int destroyed;

static void destroy(void *object, void *arg)
{
    atomic_fetch_add(&destroyed, 1);
    free(object);
}

static int run(void *arg)
{
    ant_cache *cache;

    CHECK_INT(ant_cache_new(&cache, NULL, destroy, NULL), 0);
    for (int i = 0; i < MANY; i++)
        ant_cache_put(cache, malloc(1));
    while (atomic_load(&destroyed) < MANY - AT_HAND)
        ant_sleep(1500 * ANT_MILLISECOND); /* idle */
    ant_cache_destroy(cache);
    CHECK_INT(atomic_load(&destroyed), MANY);
    return 0;
}

TEST(cache_idle)
{
    CHECK_INT(ant_run(run, NULL, NULL), 0);
    return 0;
}
