/* panic_macro - ANT_DEFER: at the end of the enclosing scope, however it is left: at its end, by
 * return, break, continue, goto, panic; several in one scope; in a loop. */
#include <anthill.h>

#include "check.h"

static char log_[64];

static void note(void *arg)
{
    strcat(log_, arg);
}

static int by_return(int early)
{
    ANT_DEFER(note, "a");
    if (early) {
        ANT_DEFER(note, "b");
        return 1;
    }
    ANT_DEFER(note, "c");
    strcat(log_, "-");
    return 0;
}

static void by_loop(void)
{
    for (int i = 0; i < 4; i++) {
        ANT_DEFER(note, "x");
        if (i == 1)
            continue;
        if (i == 3)
            break;
        strcat(log_, "-");
    }
}

static void by_goto(void)
{
    {
        ANT_DEFER(note, "g");
        goto out;
    }
out:
    strcat(log_, "|");
}

static void by_panic(void *arg)
{
    ANT_DEFER(note, "1");
    ANT_DEFER(note, "2");
    {
        ANT_DEFER(note, "3");
    }
    ant_panic("x");
}

static void no_leak(void *arg)
{
    char *buf = malloc(100);

    ANT_DEFER(free, buf);
    memset(buf, 0, 100);
    ant_panic("x"); /* LeakSanitizer looks whether it was freed */
}

static void check_log(const char *expected)
{
    CHECK_STR(log_, expected);
    log_[0] = '\0';
}

static int run(void *arg)
{
    CHECK_INT(by_return(0), 0);
    check_log("-ca");
    CHECK_INT(by_return(1), 1);
    check_log("ba");
    by_loop();
    check_log("-xx-xx");
    by_goto();
    check_log("g|");
    CHECK_INT(ant_try(by_panic, NULL, NULL), ANT_EPANIC);
    check_log("321");
    CHECK_INT(ant_try(no_leak, NULL, NULL), ANT_EPANIC);
    return 0;
}

TEST(panic_macro)
{
    CHECK_INT(run(NULL), 0);
    CHECK_INT(ant_run(run, NULL, NULL), 0);
    return 0;
}
