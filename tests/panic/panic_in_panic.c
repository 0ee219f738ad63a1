/* panic_in_panic - ant_try in a deferred call that runs on the last pages of an overflown stack
 * leaves these alone; and a fault while a panic is being described, for a bad argument, is an
 * ordinary one. */
#include <signal.h>

#include <anthill.h>

#include "check.h"
#include "deep.h"

static bool tidied;

static int panic_badly(void *arg)
{
    ant_panic("%s", (const char *)16);
}

static void child(void)
{
    ant_run(panic_badly, NULL, &(ant_config){.fault_panics = true});
}

static void fail(void *arg)
{
    ant_panic("within");
}

static void tidy(void *arg)
{
    volatile char here[64] = {1};
    ant_panic_info info;

    CHECK_INT(ant_try(fail, NULL, &info), ANT_EPANIC);
    CHECK_STR(info.message, "within");
    CHECK_INT(here[0], 1);
    tidied = true;
}

static void overflow(void *arg)
{
    ant_defer_node node;

    ant_defer(&node, tidy, NULL);
    dig(1 << 20);
    ant_defer_end(&node);
}

static int run(void *arg)
{
    ant_panic_info info;

    CHECK_INT(ant_try(overflow, NULL, &info), ANT_EPANIC);
    CHECK_HAS(info.message, "stack overflow");
    CHECK(tidied);
    CHECK_INT(ant_try(overflow, NULL, &info), ANT_EPANIC);
    CHECK_HAS(info.message, "stack overflow");
    return 0;
}

TEST(panic_in_panic)
{
    char output[4096];
    int status = test_child(child, output, sizeof output);

    if (!WIFSIGNALED(status) || WTERMSIG(status) != SIGSEGV)
        FAIL("status 0x%x, %s", status, output);
    return ant_run(run, NULL, &(ant_config){.fault_panics = true});
}
