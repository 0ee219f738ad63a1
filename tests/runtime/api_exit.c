/* api_exit - ant_exit ends the goroutine from any depth, and its stack is used again. */
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"

static ant_waitgroup wg;
static atomic_int ended;

static volatile int bottom; /* 0, but the compiler does not know */

static __attribute__((noinline)) int dive(int depth)
{
    if (depth < bottom)
        return depth;
    if (depth == bottom)
        ant_exit();
    return dive(depth - 1) + 1; /* not a tail call */
}

static void goroutine(void *arg)
{
    if (arg)
        ant_yield();
    atomic_fetch_add(&ended, 1);
    ant_waitgroup_done(&wg);
    FAIL("ant_exit returned %d", dive(20));
}

static int run(void *arg)
{
    int n = test_scale(20000);

    ant_waitgroup_add(&wg, n);
    for (int i = 0; i < n; i++)
        CHECK_INT(ant_go(goroutine, i % 2 ? &wg : NULL), 0);
    ant_waitgroup_wait(&wg);
    while (ant_count() > 1)
        ant_yield();
    CHECK_INT(atomic_load(&ended), n);
    return 0;
}

TEST(api_exit)
{
    CHECK_INT(ant_run(run, NULL, NULL), 0);
    return 0;
}
