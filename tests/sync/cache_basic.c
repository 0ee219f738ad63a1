/* cache_basic - a get from an empty cache makes an object or returns NULL; what was put is got, the
 * latest first; NULL is ignored; nothing is made while something is there; more than a P has at
 * hand is kept too; bad input. */
#include <errno.h>

#include <anthill.h>

#include "check.h"

enum { MANY = 100 };

static int made, destroyed;

static void *make(void *arg)
{
    CHECK(arg == &made);
    made++;
    return malloc(1);
}

static void destroy(void *object, void *arg)
{
    CHECK(object != NULL && arg == &made);
    destroyed++;
    free(object);
}

static void check_bad_input(void)
{
    ant_cache *cache;

    CHECK_INT(ant_cache_new(NULL, make, destroy, NULL), -EINVAL);
    CHECK_INT(ant_cache_new(&cache, make, NULL, NULL), -EINVAL);
    ant_cache_destroy(NULL);
}

static void check_without_make(void)
{
    void *a = malloc(1), *b = malloc(1);
    ant_cache *cache;

    CHECK_INT(ant_cache_new(&cache, NULL, destroy, &made), 0);
    CHECK(ant_cache_get(cache) == NULL);
    ant_cache_put(cache, NULL);
    CHECK(ant_cache_get(cache) == NULL);
    ant_cache_put(cache, a);
    ant_cache_put(cache, b);
    /* The first put makes this P's part, the second goes there. */
    CHECK(ant_cache_get(cache) == b);
    CHECK(ant_cache_get(cache) == a);
    CHECK(ant_cache_get(cache) == NULL);
    CHECK_INT(destroyed, 0);
    free(a);
    free(b);
    ant_cache_destroy(cache);
}

static void check_many(void)
{
    void *objects[MANY];
    ant_cache *cache;

    CHECK_INT(ant_cache_new(&cache, make, destroy, &made), 0);
    for (int i = 0; i < MANY; i++)
        objects[i] = ant_cache_get(cache);
    CHECK_INT(made, MANY);
    for (int i = 0; i < MANY; i++)
        ant_cache_put(cache, objects[i]);
    for (int i = 0; i < MANY; i++)
        objects[i] = ant_cache_get(cache);
    CHECK_INT(made, MANY + destroyed); /* more only for what was freed, should that take seconds */
    for (int i = 0; i < MANY; i++)
        ant_cache_put(cache, objects[i]);
    ant_cache_destroy(cache);
    CHECK_INT(destroyed, made);
}

static int run(void *arg)
{
    check_bad_input();
    check_without_make();
    check_many();
    return 0;
}

TEST(cache_basic)
{
    CHECK_INT(ant_run(run, NULL, NULL), 0);
    made = destroyed = 0;
    check_without_make(); /* from a plain thread, with no runtime */
    check_many();
    return 0;
}
