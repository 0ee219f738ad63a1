/* stack_trim_small - stacks that share pages give them back when all has been idle for a while, and work when
 * they are needed again; a page of which one stack is in use stays. Stacks of 8 KB, of which little is used,
 * cost one page each.
 *
 * Catches: small stacks that keep their memory for ever; a page that goes with a stack in use; a canary on
 * a page of its own. */
#include <anthill.h>

#include "check.h"
#include "runtime/runtime.h"

enum { GOROUTINES = 6000, PAGE = 4096 };

static ant_waitgroup begun, gate, ended;

static void goroutine(void *arg)
{
    volatile char mine[64];

    memset((void *)mine, (int)(intptr_t)arg, sizeof mine);
    ant_waitgroup_done(&begun);
    ant_waitgroup_wait(&gate);
    for (size_t i = 0; i < sizeof mine; i++)
        CHECK_INT(mine[i], (char)(intptr_t)arg);
    ant_waitgroup_done(&ended);
}

static void start(int n, size_t size)
{
    ant_waitgroup_add(&begun, n);
    ant_waitgroup_add(&ended, n);
    for (int i = 0; i < n; i++)
        CHECK_INT(
            ant_go_opts(&(ant_go_options){.stack_size = size}, goroutine, (void *)(intptr_t)i), 0);
    ant_waitgroup_wait(&begun);
}

static size_t resident(void)
{
    size_t size, pages = 0;
    FILE *f = fopen("/proc/self/statm", "r");

    CHECK(f && fscanf(f, "%zu %zu", &size, &pages) == 2);
    fclose(f);
    return pages * (size_t)sysconf(_SC_PAGESIZE);
}

static void let_go(void)
{
    ant_waitgroup_done(&gate);
    ant_waitgroup_wait(&ended);
}

static uint64_t stacks(void)
{
    ant_stats stats;

    CHECK_INT(ant_stats_get(&stats), 0);
    return stats.stacks;
}

static void round_of_small(void)
{
    size_t full;

    ant_waitgroup_add(&gate, 1);
    start(GOROUTINES, 2048);
    let_go();
    full = resident();
    /* Every thirtieth page has a stack that stays in use meanwhile, or so. */
    ant_waitgroup_add(&gate, 1);
    start(100, 2048);
    while (stacks() > 800 + 2 * (uint64_t)ant_procs() * ANT__STACK_CACHE) /* of two sizes */
        usleep(50000);
    CHECK(full - resident() > GOROUTINES / 2 * 2048u * 3 / 4);
    let_go();
}

static void cost_of_8k(void)
{
    size_t before = resident();
    ant_stats stats;

    ant_waitgroup_add(&gate, 1);
    start(GOROUTINES, 8192);
    CHECK_INT(ant_stats_get(&stats), 0);
    if (strcmp(stats.stack_guard, "madvise") == 0)
        CHECK((resident() - before) / GOROUTINES < PAGE + PAGE / 4);
    let_go();
}

TEST(stack_trim_small)
{
    CHECK_INT(ant_start(NULL), 0);
    if (sysconf(_SC_PAGESIZE) == PAGE) {
        cost_of_8k();
        for (int i = 0; i < 2; i++)
            round_of_small();
    }
    CHECK_INT(ant_stop(), 0);
    return 0;
}
