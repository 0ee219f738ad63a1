/* panic_defer - deferred calls run once each, the newest first: by ant_defer_end, by a panic up to
 * the nearest try and no further, and by ant_exit. */
#include <anthill.h>

#include "check.h"

static char log_[64];

static void note(void *arg)
{
    strcat(log_, arg);
}

static void three(void)
{
    ant_defer_node a, b, c;

    ant_defer(&a, note, "a");
    ant_defer(&b, note, "b");
    ant_defer(&c, note, "c");
    strcat(log_, "-");
    ant_defer_end(&c);
    ant_defer_end(&b);
    ant_defer_end(&a);
}

static void panic_inside(void *arg)
{
    ant_defer_node d, e;

    ant_defer(&d, note, "d");
    three();
    ant_defer(&e, note, "e");
    ant_panic("x");
}

static void try_inside(void *arg)
{
    ant_defer_node outer;

    ant_defer(&outer, note, "o");
    CHECK_INT(ant_try(panic_inside, NULL, NULL), ANT_EPANIC);
    strcat(log_, "|");
    ant_defer_end(&outer);
}

static void exit_inside(void *arg)
{
    ant_defer_node a, b;

    ant_defer(&a, note, "1");
    ant_defer(&b, note, "2");
    ant_exit();
}

static void check_log(const char *expected)
{
    CHECK_STR(log_, expected);
    log_[0] = '\0';
}

static int run(void *arg)
{
    three();
    check_log("-cba");
    CHECK_INT(ant_try(panic_inside, NULL, NULL), ANT_EPANIC);
    check_log("-cbaed");
    try_inside(NULL);
    check_log("-cbaed|o");
    CHECK_INT(ant_try(try_inside, NULL, NULL), 0);
    check_log("-cbaed|o");
    return 0;
}

static int run_exit(void *arg)
{
    CHECK_INT(ant_go(exit_inside, NULL), 0);
    while (ant_count() > 1)
        ant_yield();
    check_log("21");
    return 0;
}

TEST(panic_defer)
{
    CHECK_INT(run(NULL), 0);
    CHECK_INT(ant_run(run, NULL, NULL), 0);
    CHECK_INT(unsetenv("ANTHILL"), 0);
    CHECK_INT(ant_run(run_exit, NULL, &(ant_config){.procs = 1}), 0);
    return 0;
}
