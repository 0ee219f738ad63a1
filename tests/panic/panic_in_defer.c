/* panic_in_defer - a panic in a deferred call takes the place of the one that ran it, and the other
 * deferred calls still run; a deferred call may try and catch for itself. */
#include <anthill.h>

#include "check.h"

static char log_[64];

static void note(void *arg)
{
    strcat(log_, arg);
}

static void panic_on(void *arg)
{
    strcat(log_, "!");
    ant_panic("%s", (const char *)arg);
}

static void catch_one(void *arg)
{
    ant_panic_info info;

    CHECK_INT(ant_try(panic_on, "inside", &info), ANT_EPANIC);
    CHECK_STR(info.message, "inside");
    strcat(log_, "c");
}

static void three_panics(void *arg)
{
    ant_defer_node a, b, c, d;

    ant_defer(&a, note, "a");
    ant_defer(&b, panic_on, "third");
    ant_defer(&c, note, "c");
    ant_defer(&d, panic_on, "second");
    ant_panic("first");
}

static void catching_defer(void *arg)
{
    ant_defer_node a, b, c;

    ant_defer(&a, note, "a");
    ant_defer(&b, catch_one, NULL);
    ant_defer(&c, note, "b");
    ant_panic("kept");
}

/* Not by a panic, but at the end of a scope. */
static void panic_in_end(void *arg)
{
    ant_defer_node a, b;

    ant_defer(&a, note, "a");
    ant_defer(&b, panic_on, "at the end");
    ant_defer_end(&b);
    FAIL("came back");
}

static void add_in_defer(void *arg)
{
    ant_defer_node own;

    ant_defer(&own, note, "o");
    strcat(log_, "i");
    ant_defer_end(&own);
}

static void defer_in_defer(void *arg)
{
    ant_defer_node a, b;

    ant_defer(&a, note, "a");
    ant_defer(&b, add_in_defer, NULL);
    ant_panic("deep");
}

static void check(void (*fn)(void *), const char *message, const char *log)
{
    ant_panic_info info;

    log_[0] = '\0';
    CHECK_INT(ant_try(fn, NULL, &info), ANT_EPANIC);
    CHECK_STR(info.message, message);
    CHECK_STR(log_, log);
}

static int run(void *arg)
{
    check(three_panics, "third", "!c!a");
    check(catching_defer, "kept", "b!ca");
    check(panic_in_end, "at the end", "!a");
    check(defer_in_defer, "deep", "ioa");
    return 0;
}

TEST(panic_in_defer)
{
    CHECK_INT(run(NULL), 0);
    CHECK_INT(ant_run(run, NULL, NULL), 0);
    return 0;
}
