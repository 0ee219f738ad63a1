/* stack_culprit - an overflow of a small stack is told at the next call of ours, also one that does not
 * suspend; with too little room left the call is not begun. If the neighbour notices first, whose record was
 * overwritten, the message names the one that did it.
 *
 * Catches: an overflow that is found late, or that another goroutine is blamed for. */
#include <signal.h>

#include <anthill.h>

#include "check.h"
#include "runtime/runtime.h"

enum { SIZE = 2048, LEFT = 400 };

static ant_chan *begun, *go_on;
static void (*second)(void *);

/* Stacks of this size begin at multiples of it. */
static char *low(void)
{
    return (char *)((uintptr_t)__builtin_frame_address(0) & ~(uintptr_t)(SIZE - 1));
}

static void overwrite_neighbour(void)
{
    memset(low() - 256, 1, 256 + 8);
}

static void victim(void *arg)
{
    ant_chan_send(begun, NULL);
    ant_chan_recv(go_on, NULL);
    for (;;)
        ant_yield();
}

static void overflow_and_call(void *arg)
{
    overwrite_neighbour();
    ant_count();
    _exit(1);
}

static void overflow_and_stay(void *arg)
{
    overwrite_neighbour();
    for (;;)
        usleep(1000);
}

static void overflow_and_fault(void *arg)
{
    overwrite_neighbour();
    *(volatile char *)8 = 0; /* NOLINT */
}

static __attribute__((noinline)) void call_deep(size_t n)
{
    volatile char bytes[n];

    bytes[0] = 0;
    ant_count();
    _exit(bytes[0]);
}

static void leave_little(void *arg)
{
    call_deep((size_t)((char *)__builtin_frame_address(0) - low()) - LEFT);
}

static int run(void *arg)
{
    CHECK_INT(ant_chan_new(&begun, 0, 0), 0);
    CHECK_INT(ant_chan_new(&go_on, 0, 0), 0);
    CHECK_INT(ant_go_opts(&(ant_go_options){.stack_size = SIZE, .name = "victim"}, victim, NULL),
              0);
    ant_chan_recv(begun, NULL);
    CHECK_INT(ant_go_opts(&(ant_go_options){.stack_size = SIZE, .name = "digger"}, second, NULL),
              0);
    ant_sleep(10 * ANT_MILLISECOND);
    ant_chan_send(go_on, NULL);
    ant_sleep(10 * ANT_SECOND);
    return 0;
}

static void child(void)
{
    ant_run(run, NULL, &(ant_config){.procs = 1});
}

/* Without optimisation they are larger. */
static int has_small_stacks(void *arg)
{
    return ant__stack_class(SIZE) == ANT__STACK_MIN_CLASS;
}

static void check(void (*fn)(void *))
{
    static char output[65536];
    int status;

    second = fn;
    status = test_child(child, output, sizeof output);
    if (!WIFSIGNALED(status) || WTERMSIG(status) != SIGABRT)
        FAIL("status 0x%x, %s", status, output);
    CHECK_HAS(output, "anthill: stack overflow at ");
    CHECK_HAS(output, " digger, whose stack has 2048 bytes");
}

TEST(stack_culprit)
{
    CHECK_INT(unsetenv("ANTHILL"), 0);
    if (!ant_run(has_small_stacks, NULL, NULL))
        return 0;
    check(overflow_and_call);
    check(overflow_and_stay);
    check(overflow_and_fault);
    check(leave_little);
    return 0;
}
