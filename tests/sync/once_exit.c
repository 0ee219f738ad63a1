/* once_exit - a function that calls ant_exit counts as done: its goroutine ends there, those that
 * wait meanwhile return, and it is not called a second time. */
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"

enum { WAITERS = 5 };

static ant_once once;
static ant_waitgroup wg;
static atomic_int running, calls;
static atomic_bool go_on;

static void exits(void *arg)
{
    atomic_fetch_add(&calls, 1);
    atomic_store(&running, 1);
    while (!atomic_load(&go_on))
        ant_yield();
    ant_exit();
}

static void tell_end(void *arg)
{
    ant_waitgroup_done(&wg);
}

static void first(void *arg)
{
    ant_defer_node node;

    ant_defer(&node, tell_end, NULL);
    ant_once_do(&once, exits, NULL);
    FAIL("should have ended");
}

static void waiter(void *arg)
{
    ant_once_do(&once, exits, NULL);
    ant_waitgroup_done(&wg);
}

static int run(void *arg)
{
    for (int round = 0; round < test_scale(2000); round++) {
        once = (ant_once){0};
        atomic_store(&running, 0);
        atomic_store(&calls, 0);
        atomic_store(&go_on, false);
        ant_waitgroup_add(&wg, WAITERS + 1);
        CHECK_INT(ant_go(first, NULL), 0);
        while (!atomic_load(&running))
            ant_yield();
        for (int i = 0; i < WAITERS; i++)
            CHECK_INT(ant_go(waiter, NULL), 0);
        for (int i = 0; i < 5; i++)
            ant_yield();
        atomic_store(&go_on, true);
        ant_waitgroup_wait(&wg);
        ant_once_do(&once, exits, NULL);
        CHECK_INT(atomic_load(&calls), 1);
    }
    return 0;
}

TEST(once_exit)
{
    return ant_run(run, NULL, NULL);
}
