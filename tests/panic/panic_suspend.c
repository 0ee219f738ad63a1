/* panic_suspend - trys and defers stay with their goroutine while it is suspended and while others
 * try and panic; deferred calls may suspend in the middle of a panic. */
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"

enum { GOROUTINES = 100 };

static ant_waitgroup wg;
static atomic_int deferred;

static void suspend(int how)
{
    if (how % 2)
        ant_yield();
    else
        ant_sleep(5 * ANT_MICROSECOND);
}

static void slow_defer(void *arg)
{
    uint64_t id = ant_id();

    suspend((int)id);
    CHECK_INT(ant_id(), id);
    CHECK_INT((uint64_t)(uintptr_t)arg, id);
    atomic_fetch_add(&deferred, 1);
    suspend((int)id + 1);
}

static void inner(void *arg)
{
    ant_defer_node node;

    ant_defer(&node, slow_defer, arg);
    suspend(1);
    ant_panic("inner %llu", (unsigned long long)ant_id());
}

static void outer(void *arg)
{
    ant_defer_node node;
    ant_panic_info info;
    char expected[32];

    ant_defer(&node, slow_defer, arg);
    suspend(2);
    CHECK_INT(ant_try(inner, arg, &info), ANT_EPANIC);
    snprintf(expected, sizeof expected, "inner %llu", (unsigned long long)ant_id());
    CHECK_STR(info.message, expected);
    suspend(1);
    ant_panic("outer %llu", (unsigned long long)ant_id());
}

static void goroutine(void *arg)
{
    void *id = (void *)(uintptr_t)ant_id();
    char expected[32];

    snprintf(expected, sizeof expected, "outer %llu", (unsigned long long)ant_id());
    for (int i = 0; i < test_scale(100); i++) {
        ant_panic_info info;

        CHECK_INT(ant_try(outer, id, &info), ANT_EPANIC);
        CHECK_STR(info.message, expected);
        CHECK_INT(info.goroutine, ant_id());
    }
    ant_waitgroup_done(&wg);
}

static int run(void *arg)
{
    ant_waitgroup_add(&wg, GOROUTINES);
    for (int i = 0; i < GOROUTINES; i++)
        CHECK_INT(ant_go(goroutine, NULL), 0);
    ant_waitgroup_wait(&wg);
    CHECK_INT(atomic_load(&deferred), GOROUTINES * test_scale(100) * 2);
    return 0;
}

TEST(panic_suspend)
{
    CHECK_INT(ant_run(run, NULL, NULL), 0);
    return 0;
}
