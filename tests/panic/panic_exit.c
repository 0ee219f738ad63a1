/* panic_exit - ant_exit passes through trys: it ends the goroutine, no try returns, and all
 * deferred calls run on the way, inside and outside of the trys; also from a deferred call, in a
 * panic; and also if a deferred call panics, which the nearest try takes. A try in a deferred call is
 * one like any other.
 *
 * Catches: a try that returns to a goroutine that has called ant_exit. */
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"

static ant_waitgroup ended;
static ant_local key;
static atomic_int order[3];
static atomic_int calls, destroyed;

static void note(void *arg)
{
    order[(intptr_t)arg] = ++calls;
}

static void exit_now(void *arg)
{
    ant_exit();
}

static void at_end(void *value)
{
    destroyed++;
    ant_waitgroup_done(&ended); /* the last act: after all deferred calls */
}

static void inner(void *arg)
{
    ant_defer_node node;

    ant_defer(&node, note, (void *)0);
    ant_yield();
    ant_exit();
}

static void outer(void *arg)
{
    ant_defer_node node;

    ant_defer(&node, note, (void *)1);
    ant_try(inner, NULL, NULL);
    FAIL("the inner try returned");
}

static void by_exit(void *arg)
{
    ant_defer_node node;

    CHECK_INT(ant_local_set(key, &key), 0);
    ant_defer(&node, note, (void *)2);
    ant_try(outer, NULL, NULL);
    FAIL("the outer try returned");
}

static void panic_then_exit(void *arg)
{
    ant_defer_node a, b;

    ant_defer(&a, note, (void *)0);
    ant_defer(&b, exit_now, NULL);
    ant_panic("on the way out");
}

static void by_defer(void *arg)
{
    ant_defer_node a, b;

    CHECK_INT(ant_local_set(key, &key), 0);
    ant_defer(&a, note, (void *)2);
    ant_defer(&b, note, (void *)1);
    ant_try(panic_then_exit, NULL, NULL);
    FAIL("the try returned");
}

static void panic_now(void *arg)
{
    ant_panic("in a deferred call");
}

static void try_in_defer(void *arg)
{
    note(arg);
    CHECK_INT(ant_try(panic_now, NULL, NULL), ANT_EPANIC);
}

static void exit_with_panic(void *arg)
{
    ant_defer_node a, b, c;

    ant_defer(&a, note, (void *)1);
    ant_defer(&b, panic_now, NULL);
    ant_defer(&c, try_in_defer, (void *)0);
    ant_exit();
}

static void by_panic(void *arg)
{
    ant_defer_node node;

    CHECK_INT(ant_local_set(key, &key), 0);
    ant_defer(&node, note, (void *)2);
    ant_try(exit_with_panic, NULL, NULL);
    FAIL("the try returned");
}

static void exit_in_try(void *arg)
{
    ant_try(exit_now, NULL, NULL);
    FAIL("the inner try returned");
}

/* The panicking call is inside of one try and outside of another. */
static void panic_outside(void *arg)
{
    ant_defer_node a, b, c;

    ant_defer(&a, note, (void *)1);
    ant_defer(&b, panic_now, NULL);
    ant_defer(&c, note, (void *)0);
    exit_in_try(NULL);
}

static void by_panic_outside(void *arg)
{
    ant_defer_node node;

    CHECK_INT(ant_local_set(key, &key), 0);
    ant_defer(&node, note, (void *)2);
    ant_try(panic_outside, NULL, NULL);
    FAIL("the outer try returned");
}

static void exit_again(void *arg)
{
    ant_try(panic_outside, NULL, NULL);
    FAIL("the try in the deferred call returned");
}

static void by_exit_twice(void *arg)
{
    ant_defer_node a, b;

    CHECK_INT(ant_local_set(key, &key), 0);
    ant_defer(&a, note, (void *)2);
    ant_defer(&b, exit_again, NULL);
    ant_exit();
}

static void check(void (*fn)(void *))
{
    calls = destroyed = 0;
    ant_waitgroup_add(&ended, 1);
    CHECK_INT(ant_go(fn, NULL), 0);
    ant_waitgroup_wait(&ended);
    for (int i = 0; i < 3; i++)
        CHECK_INT(order[i], i + 1);
    CHECK_INT(calls, 3);
    CHECK_INT(destroyed, 1);
}

static int run(void *arg)
{
    for (int i = 0; i < test_scale(2000); i++) {
        check(by_exit);
        check(by_defer);
        check(by_panic);
        check(by_panic_outside);
        check(by_exit_twice);
    }
    return 0;
}

TEST(panic_exit)
{
    CHECK_INT(ant_local_new(&key, at_end), 0);
    CHECK_INT(ant_run(run, NULL, NULL), 0);
    return 0;
}
