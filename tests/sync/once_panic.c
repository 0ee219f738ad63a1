/* once_panic - Go's TestOncePanic: a function that panics counts as done: the panic reaches who
 * called, those that wait meanwhile return, and later calls do nothing. In goroutines and
 * threads. */
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"

enum { WAITERS = 5 };

static ant_once once;
static ant_waitgroup wg;
static atomic_int running, calls;
static atomic_bool go_on;

static void panics(void *arg)
{
    atomic_fetch_add(&calls, 1);
    atomic_store(&running, 1);
    while (!atomic_load(&go_on))
        ant_yield();
    ant_panic("no luck");
}

static void call(void *arg)
{
    ant_once_do(&once, panics, NULL);
}

static void waiter(void *arg)
{
    CHECK_INT(ant_try(call, NULL, NULL), 0);
    ant_waitgroup_done(&wg);
}

static void first(void *arg)
{
    ant_panic_info info;

    CHECK_INT(ant_try(call, NULL, &info), ANT_EPANIC);
    CHECK_STR(info.message, "no luck");
    ant_waitgroup_done(&wg);
}

static void reset(void)
{
    once = (ant_once){0};
    atomic_store(&running, 0);
    atomic_store(&calls, 0);
    atomic_store(&go_on, false);
}

static void alone(void)
{
    reset();
    atomic_store(&go_on, true);
    CHECK_INT(ant_try(call, NULL, NULL), ANT_EPANIC);
    for (int i = 0; i < 3; i++)
        CHECK_INT(ant_try(call, NULL, NULL), 0);
    CHECK_INT(atomic_load(&calls), 1);
}

static int run(void *arg)
{
    for (int round = 0; round < test_scale(1000); round++) {
        alone();
        reset();
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
        CHECK_INT(atomic_load(&calls), 1);
    }
    return 0;
}

TEST(once_panic)
{
    alone();
    return ant_run(run, NULL, NULL);
}
