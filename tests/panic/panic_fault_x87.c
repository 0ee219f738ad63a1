/* panic_fault_x87 - a fault leaves the x87 stack full and the direction flag set; once it is caught, both
 * are as functions expect them.
 *
 * Catches: a fault that is caught with the registers as they were. After four of these a sum of long
 * doubles is NaN, and a copy that counts downwards overwrites what it should not. */
#include <anthill.h>

#include "check.h"

enum { CALLS = 20 };

static bool in_defer_fine;

static long double compute(void)
{
    volatile long double a = 1.5L, b = 2.0L;

    return a * b + 1;
}

static bool copies(void)
{
    static const char from[64] = "as functions expect it";
    char to[64];

#if defined(__x86_64__)
    void *dst = to;
    const void *src = from;
    size_t n = sizeof to;

    __asm__ volatile("rep movsb" : "+D"(dst), "+S"(src), "+c"(n) : : "memory");
#else
    memcpy(to, from, sizeof to);
#endif
    return memcmp(to, from, sizeof to) == 0;
}

static void look(void *arg)
{
    in_defer_fine = compute() == 4 && copies();
}

static __attribute__((noinline, no_sanitize("undefined", "address", "thread"))) void
fault(void *arg)
{
    ANT_DEFER(look, NULL);
#if defined(__x86_64__)
    __asm__ volatile("fld1; fld1; fld1; fld1; std" : : : "memory");
#endif
    *(volatile int *)NULL = 1;
}

static int run(void *arg)
{
    for (int i = 0; i < CALLS; i++) {
        in_defer_fine = false;
        CHECK_INT(ant_try(fault, NULL, NULL), ANT_EPANIC);
        CHECK(in_defer_fine);
        CHECK(compute() == 4);
        CHECK(copies());
    }
    return 0;
}

TEST(panic_fault_x87)
{
    return ant_run(run, NULL, &(ant_config){.fault_panics = true});
}
