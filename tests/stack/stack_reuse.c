/* stack_reuse - stacks are used again when their goroutines have ended: rounds of a thousand parked
 * ones of several sizes need no more stacks and no more address space than one round does. */
#include <anthill.h>

#include "check.h"

enum { GOROUTINES = 1000, SIZES = 4 };

static const size_t sizes[SIZES] = {0, 32 << 10, 64 << 10, 1 << 20};

static ant_waitgroup begun, gate, ended;

static void goroutine(void *arg)
{
    ant_waitgroup_done(&begun);
    ant_waitgroup_wait(&gate);
    ant_waitgroup_done(&ended);
}

static void round_of(void)
{
    ant_waitgroup_add(&begun, GOROUTINES);
    ant_waitgroup_add(&gate, 1);
    ant_waitgroup_add(&ended, GOROUTINES);
    for (int i = 0; i < GOROUTINES; i++)
        CHECK_INT(ant_go_opts(&(ant_go_options){.stack_size = sizes[i % SIZES]}, goroutine, NULL),
                  0);
    ant_waitgroup_wait(&begun);
    ant_waitgroup_done(&gate);
    ant_waitgroup_wait(&ended);
    while (ant_count() > 1)
        ant_yield();
}

/* A P keeps up to 64 free stacks of a class, and arenas come in pieces of 64 MB. */
static uint64_t most_bytes(void)
{
    uint64_t sum = 0;

    for (int i = 0; i < SIZES; i++) {
        uint64_t n = GOROUTINES / SIZES + 64 * (uint64_t)ant_procs() + 32;
        uint64_t bytes = n * (sizes[i] ? sizes[i] : 256 << 10);

        sum += (bytes / (64 << 20) + 1) * (64 << 20);
    }
    return sum;
}

static int run(void *arg)
{
    ant_stats stats;

    for (int i = 0; i < test_scale(50) + 3; i++)
        round_of();
    CHECK_INT(ant_stats_get(&stats), 0);
    if (stats.stacks > GOROUTINES + (64u * (unsigned)ant_procs() + 32) * SIZES)
        FAIL("%llu stacks", (unsigned long long)stats.stacks);
    if (stats.stack_bytes > most_bytes())
        FAIL("%llu bytes, not %llu", (unsigned long long)stats.stack_bytes,
             (unsigned long long)most_bytes());
    return 0;
}

TEST(stack_reuse)
{
    CHECK_INT(ant_run(run, NULL, NULL), 0);
    return 0;
}
