/* stack_overflow_lowest - the overflow of a small stack that has no neighbour below, since it is
 * the first of its kind, is told like any other: it does not write on what happens to lie there. */
#include <signal.h>

#include <anthill.h>

#include "check.h"
#include "deep.h"

static ant_go_options options;

static void digging_function(void *arg)
{
    if (options.stack_size < 16 << 10)
        fill(options.stack_size);
    dig(16 << 10); /* what is a page at least may have 16 KB and a guard */
}

static int run(void *arg)
{
    CHECK_INT(ant_go_opts(&options, digging_function, NULL), 0);
    ant_sleep(ANT_HOUR);
    return 0;
}

static void child(void)
{
    ant_run(run, NULL, NULL);
}

TEST(stack_overflow_lowest)
{
    static char output[65536];

    for (size_t size = 2 << 10; size <= 16 << 10; size *= 2) {
        int status;

        options = (ant_go_options){.name = "lowest", .stack_size = size};
        status = test_child(child, output, sizeof output);
        if (!WIFSIGNALED(status) || WTERMSIG(status) != SIGABRT)
            FAIL("stack of %zu: status 0x%x, %s", size, status, output);
        CHECK_HAS(output, "anthill: stack overflow at ");
        CHECK_HAS(output, "lowest");
    }
    return 0;
}
