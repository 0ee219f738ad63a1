/* panic.c - a goroutine that goes wrong without taking the program with it: try, panic, defer, and
 * a bad pointer caught as a panic. */
#include <signal.h>
#include <stdio.h>

#include <anthill.h>

static void tidy(void *what)
{
    printf("  tidying up %s\n", (const char *)what);
}

static void divide(void *arg)
{
    int by = *(int *)arg;

    ANT_DEFER(tidy, "the division");
    if (by == 0)
        ant_panic("cannot divide %d by zero", 10);
    printf("  10 / %d = %d\n", by, 10 / by);
}

static void touch(void *arg)
{
    ANT_DEFER(tidy, "the pointer");
    *(volatile int *)arg = 1;
}

static void attempt(const char *what, void (*fn)(void *), void *arg)
{
    ant_panic_info info;

    printf("%s:\n", what);
    if (ant_try(fn, arg, &info) == ANT_EPANIC)
        printf("  caught: %s\n", info.signal == SIGSEGV ? "a bad pointer" : info.message);
}

static int run(void *arg)
{
    int two = 2, zero = 0;

    attempt("divide by two", divide, &two);
    attempt("divide by zero", divide, &zero);
    attempt("touch address 16", touch, (void *)16);
    return 0;
}

int main(void)
{
    const ant_config config = {.fault_panics = true};

    return ant_run(run, NULL, &config) ? 1 : 0;
}
