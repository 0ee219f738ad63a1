/* cache_several - several caches at a time, destroyed in any order: the others go on, and the runtime
 * goes on freeing what lies in them when it is idle.
 *
 * Catches: a list of caches that breaks off, or leads to one that is gone. */
#include <anthill.h>

#include "check.h"
#include "runtime/runtime.h"

enum { CACHES = 3, MANY = 100 };

static ant_cache *caches[CACHES];
static int destroyed[CACHES];

static void destroy(void *object, void *arg)
{
    ++*(int *)arg;
    free(object);
}

static void fill(int i)
{
    for (int n = 0; n < MANY; n++)
        ant_cache_put(caches[i], malloc(1));
}

static void make_all(void)
{
    for (int i = 0; i < CACHES; i++) {
        destroyed[i] = 0;
        CHECK_INT(ant_cache_new(&caches[i], NULL, destroy, &destroyed[i]), 0);
        fill(i);
    }
}

/* One goes first, then the other two, the older or the younger one first. */
static void check(int first, int second)
{
    int third = CACHES - first - second;

    make_all();
    ant_cache_destroy(caches[first]);
    CHECK_INT(destroyed[first], MANY);
    CHECK_INT(destroyed[second] + destroyed[third], 0);
    ant_cache_destroy(caches[second]);
    CHECK_INT(destroyed[second], MANY);
    CHECK_INT(destroyed[third], 0);
    while (ant__trim_others(false)) /* as the runtime does when it is idle */
        continue;
    CHECK(!ant__trim_others(true));
    CHECK_INT(destroyed[third], MANY);
    fill(third);
    ant_cache_destroy(caches[third]);
    CHECK_INT(destroyed[third], 2 * MANY);
}

/* In a plain thread, so that nothing is at hand and nobody else trims. */
TEST(cache_several)
{
    for (int first = 0; first < CACHES; first++) {
        for (int second = 0; second < CACHES; second++) {
            if (second != first)
                check(first, second);
        }
    }
    return 0;
}
