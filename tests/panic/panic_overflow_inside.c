/* An overflow in the middle of a call of ours, also at the last moment of a switch, is reported by the name of
 * the goroutine that was left. (It does not become a panic: go.h.)
 *
 * Catches: looking only at the goroutine that the thread is about to run. */
#include <signal.h>

#include <anthill.h>

#include "check.h"

enum { OFFSETS = 16, STEP = 16 };

static int offset;
static volatile int deep = 1 << 30;

static __attribute__((noinline)) int recurse(int n)
{
    volatile char bytes[16];

    bytes[n % 16] = (char)n;
    ant_yield();
    return n < deep ? recurse(n + 1) + bytes[n % 16] : 0;
}

static void start(void *arg)
{
    volatile char *shift = __builtin_alloca((size_t)offset + 1);

    shift[0] = 0;
    recurse(shift[0]);
}

static int run(void *arg)
{
    const ant_go_options options = {.name = "recursion", .stack_size = 64 << 10};

    CHECK_INT(ant_go_opts(&options, start, NULL), 0);
    while (ant_count() > 1)
        ant_yield();
    return 0;
}

static void overflow(void)
{
    const ant_config config = {.procs = 1, .fault_panics = true};

    ant_run(run, NULL, &config);
}

TEST(panic_overflow_inside)
{
    char output[16384];

    for (offset = 0; offset < OFFSETS * STEP; offset += STEP) {
        int status = test_child(overflow, output, sizeof output);

        CHECK(WIFSIGNALED(status));
        CHECK_HAS(output, "stack overflow");
        CHECK_HAS(output, "recursion");
    }
    return 0;
}
