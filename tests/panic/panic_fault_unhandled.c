/* panic_fault_unhandled - a fault that became a panic and that nobody catches: told as a panic,
 * with the function in which it happened, and SIGABRT. */
#include <signal.h>

#include <anthill.h>

#include "check.h"

static __attribute__((noinline, no_sanitize("undefined"))) int faulty_function(volatile int *p)
{
    return *p + 1;
}

static int run(void *arg)
{
    return faulty_function(NULL) + 1;
}

static void child(void)
{
    ant_run(run, NULL, &(ant_config){.fault_panics = true});
}

TEST(panic_fault_unhandled)
{
    char output[16384];
    int status = test_child(child, output, sizeof output);

    if (!WIFSIGNALED(status) || WTERMSIG(status) != SIGABRT)
        FAIL("status 0x%x: %s", status, output);
    CHECK_HAS(output, "panic in goroutine 1: invalid memory access (SIGSEGV) at address 0\n");
    CHECK_HAS(output, "    faulty_function");
    CHECK_HAS(output, "    run+0x");
    CHECK_HAS(output, "1 goroutines, ");
    return 0;
}
