/* panic_overflow_guards - where guards of stacks are put up in another way than usual, a stack overflow
 * that is caught leaves them whole too, so that the next one is caught as well: with mprotect, and with
 * madvise for each stack alone.
 *
 * If the guard cannot be put up again, as with memory that is locked for a while, the next goroutine on that
 * stack puts it up.
 *
 * Catches: a guard that stays open after the first overflow. (Then the second one is a fault.) */
#include <anthill.h>

#include "../stack/stack_guards.h"
#include "check.h"
#include "deep.h"
#include "fail_from.h"

enum { GOROUTINES = 40, TIMES = 5 };

static ant_waitgroup wg;

static void goroutine(void *arg)
{
    ant_panic_info info;

    for (int i = 0; i < TIMES; i++) {
        CHECK_INT(ant_try(overflow_stack, NULL, &info), ANT_EPANIC);
        CHECK_HAS(info.message, "stack overflow");
        ant_yield();
    }
    ant_waitgroup_done(&wg);
}

static int run(void *mode)
{
    CHECK_STR(guard_in_use(), mode);
    ant_waitgroup_add(&wg, GOROUTINES);
    for (int i = 0; i < GOROUTINES; i++)
        CHECK_INT(ant_go(goroutine, NULL), 0);
    ant_waitgroup_wait(&wg);
    return 0;
}

static int ask(void *is_madvise)
{
    *(bool *)is_madvise = !strcmp(guard_in_use(), "madvise");
    return 0;
}

static void with_mprotect(void)
{
    if (refuse_guard_install())
        CHECK_INT(ant_run(run, "mprotect", &(ant_config){.fault_panics = true}), 0);
}

static void with_single_calls(void)
{
    if (refuse_call(SYS_process_madvise, EPERM))
        CHECK_INT(ant_run(run, "madvise", &(ant_config){.fault_panics = true}), 0);
}

/* The guard cannot be put up again. */
static void overflow_for_good(void *arg)
{
    fail_from(1);
    CHECK_INT(ant_try(overflow_stack, NULL, arg), ANT_EPANIC);
    fail_no_more();
    ant_waitgroup_done(&wg);
}

static void overflow(void *arg)
{
    CHECK_INT(ant_try(overflow_stack, NULL, arg), ANT_EPANIC);
    ant_waitgroup_done(&wg);
}

static int run_one_after_the_other(void *arg)
{
    ant_panic_info info;

    for (int i = 0; i < TIMES; i++) { /* on the same stack */
        ant_waitgroup_add(&wg, 1);
        CHECK_INT(ant_go(i % 2 ? overflow : overflow_for_good, &info), 0);
        ant_waitgroup_wait(&wg);
        CHECK_HAS(info.message, "stack overflow");
    }
    return 0;
}

static void with_failures(void)
{
    CHECK_INT(
        ant_run(run_one_after_the_other, NULL, &(ant_config){.procs = 1, .fault_panics = true}), 0);
}

static void check(void (*fn)(void))
{
    static char output[65536];
    int status = test_child(fn, output, sizeof output);

    if (status)
        FAIL("status 0x%x: %s", status, output);
}

TEST(panic_overflow_guards)
{
    bool is_madvise;

    check(with_mprotect);
    CHECK_INT(ant_run(ask, &is_madvise, NULL), 0);
    if (is_madvise)
        check(with_single_calls);
    check(with_failures);
    return 0;
}
