/* cache_trim - what was put survives one trimming and is got after it; what nobody got is freed by
 * the second, but for the few that a P has at hand; what a P has too much another gets. */
#include <pthread.h>
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"

enum { MANY = 100, AT_HAND = 8 };

static atomic_int made, destroyed;

static void *make(void *arg)
{
    atomic_fetch_add(&made, 1);
    return malloc(1);
}

static void destroy(void *object, void *arg)
{
    atomic_fetch_add(&destroyed, 1);
    free(object);
}

static void fill(ant_cache *cache)
{
    void *objects[MANY];

    for (int i = 0; i < MANY; i++)
        objects[i] = ant_cache_get(cache);
    for (int i = 0; i < MANY; i++)
        ant_cache_put(cache, objects[i]);
}

static void *get_in_thread(void *cache)
{
    return ant_cache_get(cache);
}

static void check_shared(ant_cache *cache)
{
    pthread_t thread;
    void *object;
    int before = atomic_load(&made);

    CHECK_INT(pthread_create(&thread, NULL, get_in_thread, cache), 0);
    CHECK_INT(pthread_join(thread, &object), 0);
    CHECK(object != NULL);
    CHECK(atomic_load(&made) == before || atomic_load(&destroyed) > 0);
    ant_cache_put(cache, object);
}

static int run(void *arg)
{
    ant_cache *cache;
    int rounds = 0;

    CHECK_INT(ant_cache_new(&cache, make, destroy, NULL), 0);
    fill(cache);
    check_shared(cache);
    /* The clock trims too, every two seconds: a round in which that happened is repeated. */
    for (;;) {
        int before = atomic_load(&destroyed);

        CHECK(++rounds < 100);
        ant_cache_trim(cache);
        if (atomic_load(&destroyed) == before)
            break;
        fill(cache);
    }
    fill(cache); /* from the victims: got, and put by anew */
    ant_cache_trim(cache);
    ant_cache_trim(cache);
    CHECK(atomic_load(&made) - atomic_load(&destroyed) <= 2 * AT_HAND);
    ant_cache_destroy(cache);
    CHECK_INT(atomic_load(&made), atomic_load(&destroyed));
    return 0;
}

TEST(cache_trim)
{
    CHECK_INT(ant_run(run, NULL, NULL), 0);
    return 0;
}
