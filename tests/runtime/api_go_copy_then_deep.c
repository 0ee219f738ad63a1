/* api_go_copy_then_deep - what runs after a goroutine with a large copied argument has its whole
 * stack, though it may be the same one. */
#include <anthill.h>

#include "check.h"
#include "deep.h"

enum { STACK = 256 << 10, ARGUMENT = STACK / 4, DEEP = STACK - (56 << 10) };

static ant_waitgroup wg;

static void with_argument(void *arg)
{
    CHECK_INT(((char *)arg)[ARGUMENT - 1], 7);
    ant_waitgroup_done(&wg);
}

static int go_down(const char *top);
static int (*volatile go_on)(const char *) = go_down;

static int go_down(const char *top)
{
    volatile char frame[64] = {1};

    DEEP_FRAME(frame);
    return top - (const char *)frame < DEEP ? go_on(top) + frame[0] : 0;
}

static void deep(void *arg)
{
    CHECK(go_on((const char *)__builtin_frame_address(0)) > 0);
    ant_waitgroup_done(&wg);
}

static int run(void *arg)
{
    static char argument[ARGUMENT];

    argument[ARGUMENT - 1] = 7;
    for (int i = 0; i < 50; i++) {
        ant_waitgroup_add(&wg, 3);
        CHECK_INT(ant_go_copy(with_argument, argument, sizeof argument), 0);
        CHECK_INT(ant_go(deep, NULL), 0);
        CHECK_INT(ant_go(deep, NULL), 0);
        ant_waitgroup_wait(&wg);
    }
    return 0;
}

TEST(api_go_copy_then_deep)
{
    CHECK_INT(unsetenv("ANTHILL"), 0);
    return ant_run(run, NULL, &(ant_config){.procs = 1, .stack_size = STACK});
}
