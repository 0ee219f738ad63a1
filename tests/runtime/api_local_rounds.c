/* api_local_rounds - a destroy function that sets its value anew is called again, but not for ever;
 * one that sets another key's value has that one destroyed too. */
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"

static ant_local again, first, second;
static atomic_int again_calls, first_calls, second_calls;

static void set_again(void *value)
{
    atomic_fetch_add(&again_calls, 1);
    CHECK_INT(ant_local_set(again, value), 0);
}

static void set_second(void *value)
{
    atomic_fetch_add(&first_calls, 1);
    CHECK_INT(ant_local_set(second, value), 0);
}

static void end_second(void *value)
{
    CHECK_STR(value, "value");
    atomic_fetch_add(&second_calls, 1);
}

static void goroutine(void *arg)
{
    CHECK_INT(ant_local_set(again, arg), 0);
    CHECK_INT(ant_local_set(first, arg), 0);
}

static int run(void *arg)
{
    static char value[] = "value";

    CHECK_INT(ant_go(goroutine, value), 0);
    while (ant_count() > 1)
        ant_yield();
    CHECK(atomic_load(&again_calls) >= 2 && atomic_load(&again_calls) <= 100);
    CHECK_INT(atomic_load(&first_calls), 1);
    CHECK_INT(atomic_load(&second_calls), 1);
    return 0;
}

TEST(api_local_rounds)
{
    /* The key that is set late has the lower number, so that a single pass would miss it. */
    CHECK_INT(ant_local_new(&second, end_second), 0);
    CHECK_INT(ant_local_new(&first, set_second), 0);
    CHECK_INT(ant_local_new(&again, set_again), 0);
    CHECK_INT(ant_run(run, NULL, NULL), 0);
    return 0;
}
