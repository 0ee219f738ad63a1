/* panic_overflow_small - a stack that is too small for a panic after its overflow: the process ends with
 * a message, though fault_panics is on and ant_try waits for a panic.
 *
 * Catches: a panic that runs on memory which is not there. */
#include <signal.h>

#include <anthill.h>

#include "check.h"
#include "deep.h"

static void goroutine(void *arg)
{
    ant_try(overflow_stack, NULL, NULL);
    FAIL("the try returned");
}

static int run(void *arg)
{
    CHECK_INT(ant_go_opts(&(ant_go_options){.stack_size = 32 << 10}, goroutine, NULL), 0);
    ant_sleep(ANT_HOUR);
    return 0;
}

static void child(void)
{
    ant_run(run, NULL, &(ant_config){.fault_panics = true});
}

TEST(panic_overflow_small)
{
    static char output[65536];
    int status = test_child(child, output, sizeof output);

    if (!WIFSIGNALED(status) || WTERMSIG(status) != SIGABRT)
        FAIL("status 0x%x: %s", status, output);
    CHECK_HAS(output, "anthill: stack overflow at ");
    return 0;
}
