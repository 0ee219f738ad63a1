/* panic_nested - a panic goes to the nearest try; a try that caught one may panic on; trys and
 * panics at every depth. */
#include <anthill.h>

#include "check.h"

enum { DEPTH = 20 };

static int caught;

/* Depth n: a try around depth n - 1, whose panic it passes on with its own number added. */
static void level(void *arg)
{
    int depth = (int)(intptr_t)arg;
    ant_panic_info info;

    if (depth == 0)
        ant_panic("0");
    CHECK_INT(ant_try(level, (void *)(intptr_t)(depth - 1), &info), ANT_EPANIC);
    caught++;
    if (depth == DEPTH)
        CHECK_HAS(info.message, "19 18 17 16 15 14 13 12 11 10 9 8 7 6 5 4 3 2 1 0");
    ant_panic("%d %.200s", depth, info.message);
}

static void inner(void *arg)
{
    ant_panic("inner");
}

static void outer(void *arg)
{
    ant_panic_info info;

    for (int i = 0; i < 3; i++) {
        CHECK_INT(ant_try(inner, NULL, &info), ANT_EPANIC);
        CHECK_STR(info.message, "inner");
    }
    ant_panic("outer");
}

static int run(void *arg)
{
    ant_panic_info info;

    caught = 0;
    CHECK_INT(ant_try(level, (void *)(intptr_t)DEPTH, &info), ANT_EPANIC);
    CHECK_INT(caught, DEPTH);
    CHECK_INT(strncmp(info.message, "20 19 18 ", 9), 0);
    CHECK_INT(ant_try(outer, NULL, &info), ANT_EPANIC);
    CHECK_STR(info.message, "outer");
    return 0;
}

TEST(panic_nested)
{
    CHECK_INT(run(NULL), 0);
    CHECK_INT(ant_run(run, NULL, NULL), 0);
    return 0;
}
