/* seize_soon - how soon another goroutine runs, with one P, beside one that computes, one that sleeps in a
 * call nobody announced, and one in an announced section: at the best of many times within ten slices, or
 * for the section within half a slice.
 *
 * Catches: a monitor that looks once in a second; sections that are treated as any other user code. */
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"

enum { ROUNDS = 200 };

static _Atomic ant_time ran;

static void run_now(void *arg)
{
    atomic_store(&ran, ant_now());
}

static void compute(void)
{
    while (!atomic_load_explicit(&ran, memory_order_relaxed))
        continue;
}

static void sleep_outside(void)
{
    while (!atomic_load(&ran))
        usleep(100);
}

static void announce(void)
{
    ant_blocking_begin();
    sleep_outside();
    ant_blocking_end();
}

static ant_duration once(void (*keep_p)(void))
{
    ant_time start;

    atomic_store(&ran, 0);
    CHECK_INT(ant_go(run_now, NULL), 0);
    start = ant_now();
    keep_p();
    return atomic_load(&ran) - start;
}

static void check(const char *what, void (*keep_p)(void), ant_duration limit)
{
    ant_duration best = ANT_SECOND * 1000;

    for (int i = 0; i < ROUNDS && best > limit; i++) {
        ant_duration took = once(keep_p);

        best = took < best ? took : best;
    }
    if (best > limit)
        FAIL("%s: %lld us at best", what, (long long)(best / ANT_MICROSECOND));
}

static int run(void *arg)
{
    check("computing", compute, 100 * ANT_MILLISECOND);
    check("sleeping", sleep_outside, 100 * ANT_MILLISECOND);
    check("announced", announce, 5 * ANT_MILLISECOND);
    return 0;
}

TEST(seize_soon)
{
    const ant_config config = {.procs = 1};

    CHECK_INT(ant_run(run, NULL, &config), 0);
    return 0;
}
