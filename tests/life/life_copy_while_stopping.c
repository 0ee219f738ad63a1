/* life_copy_while_stopping - a goroutine that calls into the runtime when the main goroutine has
 * returned is abandoned: no call tells it that the runtime is not running, for while it runs,
 * it is. */
#include <anthill.h>

#include "check.h"

static ant_waitgroup begun;

static void nothing(void *arg)
{
}

static void goroutine(void *arg)
{
    char bytes[100] = {0};

    ant_waitgroup_done(&begun);
    for (int i = 0;; i++) {
        CHECK_INT(ant_go_copy(nothing, bytes, (size_t)(i % 100)), 0);
        CHECK(ant_procs() > 0);
        if (i % 16 == 0)
            ant_yield();
    }
}

static int run(void *arg)
{
    begun = (ant_waitgroup){0};
    ant_waitgroup_add(&begun, 4);
    for (int i = 0; i < 4; i++)
        CHECK_INT(ant_go(goroutine, NULL), 0);
    ant_waitgroup_wait(&begun);
    return 0;
}

TEST(life_copy_while_stopping)
{
    for (int i = 0; i < test_scale(200); i++)
        CHECK_INT(ant_run(run, NULL, NULL), 0);
    return 0;
}
