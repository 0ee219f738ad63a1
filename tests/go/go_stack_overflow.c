/* go_stack_overflow.c - a goroutine that overflows its stack ends the program by a signal, with a
 * message that names it and tells what to do.
 *
 * Catches: an overflow that overwrites other memory unseen, or that dies without a word.
 */
#include <signal.h>

#include <anthill.h>

#include "check.h"

static volatile int never;

__attribute__((noinline)) static int dig(int depth)
{
    volatile char frame[256];

    frame[0] = (char)depth;
    return never ? 0 : dig(depth + 1) + frame[0];
}

static void dig_deep(void *arg)
{
    dig(1);
}

static ant_go_options options;

static int run(void *arg)
{
    CHECK_INT(ant_go_opts(&options, dig_deep, NULL), 0);
    ant_sleep(ANT_HOUR);
    return 0;
}

static void child(void)
{
    alarm(50);
    ant_run(run, NULL, NULL);
}

static void expect_overflow(size_t stack_size)
{
    static char output[64 << 10];
    int status;

    options = (ant_go_options){.name = "digger", .stack_size = stack_size};
    status = test_child(child, output, sizeof output);
    CHECK_HAS(output, "stack overflow");
    CHECK_HAS(output, "digger");
    CHECK_HAS(output, "stack_size");
    CHECK(WIFSIGNALED(status));
    CHECK_INT(WTERMSIG(status), SIGABRT);
}

TEST(go_stack_overflow)
{
    expect_overflow(0); /* the default */
    expect_overflow(16 << 10);
    expect_overflow(64 << 10);
    expect_overflow(1 << 20);
    return 0;
}
