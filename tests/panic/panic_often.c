/* panic_often - a hundred thousand caught panics in one goroutine and one plain thread leave
 * nothing behind: no stack, no memory of the tools that watch us. Not scaled down, since it is the
 * number that matters. */
#include <anthill.h>

#include "check.h"

static void panics(void *arg)
{
    ant_panic("again");
}

static int run(void *arg)
{
    char here;
    uintptr_t stack = (uintptr_t)&here;

    for (int i = 0; i < test_scale(50000); i++) {
        char there;

        CHECK_INT(ant_try(panics, NULL, NULL), ANT_EPANIC);
        CHECK((uintptr_t)&there - stack < 4096 || stack - (uintptr_t)&there < 4096);
    }
    return 0;
}

TEST(panic_often)
{
    CHECK_INT(run(NULL), 0);
    CHECK_INT(ant_run(run, NULL, NULL), 0);
    return 0;
}
