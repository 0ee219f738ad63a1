/* stack_trim - when all has been idle for a while the memory of free stacks is given back, and when
 * they are needed again they work, with their guards. */
#include <signal.h>

#include <anthill.h>

#include "check.h"
#include "deep.h"
#include "runtime/runtime.h"

enum { GOROUTINES = TEST_SANITIZED ? 600 : 3000 };

static ant_waitgroup begun, gate, ended;

static void goroutine(void *arg)
{
    volatile char page[3000];

    page[0] = page[2999] = 1; /* more than the page that every goroutine needs */
    ant_waitgroup_done(&begun);
    ant_waitgroup_wait(&gate);
    page[0]++;
    ant_waitgroup_done(&ended);
}

static void catch_overflow(void *arg)
{
    ant_panic_info info;

    CHECK_INT(ant_try(overflow_stack, NULL, &info), ANT_EPANIC);
    CHECK_HAS(info.message, "stack overflow");
    goroutine(arg);
}

static void round_of(void (*fn)(void *))
{
    ant_waitgroup_add(&begun, GOROUTINES);
    ant_waitgroup_add(&gate, 1);
    ant_waitgroup_add(&ended, GOROUTINES);
    for (int i = 0; i < GOROUTINES; i++)
        CHECK_INT(ant_go(fn, NULL), 0);
    ant_waitgroup_wait(&begun);
    ant_waitgroup_done(&gate);
    ant_waitgroup_wait(&ended);
}

static uint64_t stacks(void)
{
    ant_stats stats;

    CHECK_INT(ant_stats_get(&stats), 0);
    return stats.stacks;
}

static void wait_for_trim(void)
{
    uint64_t kept = 300 + (uint64_t)ant_procs() * ANT__STACK_CACHE; /* some, and some by each P */

    CHECK(stacks() >= GOROUTINES);
    while (stacks() > kept)
        usleep(50000);
}

TEST(stack_trim)
{
    CHECK_INT(ant_start(&(ant_config){.fault_panics = true}), 0);
    round_of(goroutine);
    wait_for_trim();
    round_of(goroutine);
    wait_for_trim();
    round_of(catch_overflow);
    CHECK_INT(ant_stop(), 0);
    return 0;
}
