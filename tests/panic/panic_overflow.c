/* panic_overflow - with fault_panics a stack overflow is a panic: caught a hundred times in a row
 * in one goroutine, on stacks of 64 KB and 256 KB, with small frames and large; deferred calls run
 * on what is left; the guard is whole again each time. */
#include <signal.h>

#include <anthill.h>

#include "check.h"

static ant_waitgroup wg;
static volatile int bottomless = 1;

static __attribute__((noinline)) int small_frames(int depth)
{
    volatile char frame[32];

    frame[0] = (char)depth;
    return bottomless ? small_frames(depth + 1) + frame[0] : 0;
}

static __attribute__((noinline)) int large_frames(int depth)
{
    volatile char frame[3000];

    frame[0] = frame[2999] = (char)depth;
    return bottomless ? large_frames(depth + 1) + frame[0] : 0;
}

static void deferred(void *arg)
{
    char text[512]; /* something to run on */

    snprintf(text, sizeof text, "%d %s", *(int *)arg, "and some formatting");
    ++*(int *)arg;
}

static void overflow_small(void *arg)
{
    ANT_DEFER(deferred, arg);
    small_frames(0);
}

static void overflow_large(void *arg)
{
    ANT_DEFER(deferred, arg);
    large_frames(0);
}

static void goroutine(void *arg)
{
    int times = 0;

    for (int i = 0; i < 100; i++) {
        ant_panic_info info;

        CHECK_INT(ant_try(i % 2 ? overflow_small : overflow_large, &times, &info), ANT_EPANIC);
        CHECK_INT(info.signal, SIGSEGV);
        CHECK_HAS(info.message, "stack overflow");
        CHECK_INT(info.goroutine, ant_id());
        CHECK_INT(times, i + 1);
        if (i % 10 == 0)
            ant_yield();
    }
    ant_waitgroup_done(&wg);
}

static int run(void *arg)
{
    static const size_t sizes[] = {64 << 10, 256 << 10, 0, 1 << 20};

    for (int i = 0; i < 12; i++) {
        ant_waitgroup_add(&wg, 1);
        CHECK_INT(ant_go_opts(&(ant_go_options){.stack_size = sizes[i % 4], .name = "deep"},
                              goroutine, NULL),
                  0);
        if (i >= 4) /* first one after the other, then side by side */
            ant_waitgroup_wait(&wg);
    }
    ant_waitgroup_wait(&wg);
    return 0;
}

TEST(panic_overflow)
{
    CHECK_INT(ant_run(run, NULL, &(ant_config){.fault_panics = true}), 0);
    return 0;
}
