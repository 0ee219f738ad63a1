/* stack_million_parked - a million goroutines parked at once, each with a guarded stack of 256 KB,
 * under the default vm.max_map_count, at a page and a little each; then all of them go on. */
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"

/* A page of stack, and a G with its share of what is taken in larger pieces. */
enum { FULL = 1000000, BYTES_EACH = 4505, DEFAULT_MAX_MAP_COUNT = 65530 };

static ant_waitgroup begun, gate, ended;
static atomic_int woke;

static long read_number(const char *path, const char *key)
{
    char line[256];
    long n = -1;
    FILE *f = fopen(path, "r");

    CHECK(f);
    while (n < 0 && fgets(line, sizeof line, f)) {
        if (!strncmp(line, key, strlen(key)))
            n = atol(line + strlen(key));
    }
    fclose(f);
    return n;
}

static void goroutine(void *arg)
{
    ant_waitgroup_done(&begun);
    ant_waitgroup_wait(&gate);
    atomic_fetch_add_explicit(&woke, 1, memory_order_relaxed);
    ant_waitgroup_done(&ended);
}

static int run(void *arg)
{
    int n = *(int *)arg;
    long before = read_number("/proc/self/status", "VmRSS:"), after;
    ant_stats stats;

    ant_waitgroup_add(&begun, n);
    ant_waitgroup_add(&ended, n);
    ant_waitgroup_add(&gate, 1);
    for (int i = 0; i < n; i++)
        CHECK_INT(ant_go(goroutine, NULL), 0);
    ant_waitgroup_wait(&begun);

    CHECK_INT(ant_count(), n + 1);
    CHECK_INT(atomic_load(&woke), 0);
    CHECK_INT(ant_stats_get(&stats), 0);
    CHECK(stats.stacks > (uint64_t)n);
    after = read_number("/proc/self/status", "VmRSS:");
    if (!TEST_SANITIZED && (after - before) * 1024 / n > BYTES_EACH)
        FAIL("%ld bytes for each goroutine", (after - before) * 1024 / n);
    CHECK(test__count_mappings() < DEFAULT_MAX_MAP_COUNT); /* whatever it is here */

    ant_waitgroup_done(&gate);
    ant_waitgroup_wait(&ended);
    CHECK_INT(atomic_load(&woke), n);
    return 0;
}

TEST(stack_million_parked)
{
    int n = TEST_SANITIZED ? 4000 : test_scale(FULL);
    long available = read_number("/proc/meminfo", "MemAvailable:");

    if (available < 6l << 20 && n > FULL / 10) {
        printf("only %ld KB of memory are available: with a tenth of the goroutines\n", available);
        n = FULL / 10;
    }
    CHECK_INT(ant_run(run, &n, NULL), 0);
    return 0;
}
