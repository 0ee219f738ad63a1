/* stack_guard_limit - guarded by mprotect, each stack splits a mapping: more stacks than
 * vm.max_map_count allows for work all the same, those beyond by canary. */
#include "stack_guards.h"

static ant_waitgroup begun, gate, ended;

static long max_map_count(void)
{
    FILE *f = fopen("/proc/sys/vm/max_map_count", "r");
    long n = 0;

    CHECK(f && fscanf(f, "%ld", &n) == 1);
    fclose(f);
    return n;
}

static void goroutine(void *arg)
{
    ant_waitgroup_done(&begun);
    ant_waitgroup_wait(&gate);
    ant_waitgroup_done(&ended);
}

static int run(void *arg)
{
    int n = (int)(max_map_count() / 2) + 5000;

    CHECK_STR(guard_in_use(), "mprotect");
    for (int round = 0; round < 2; round++) {
        ant_waitgroup_add(&begun, n);
        ant_waitgroup_add(&gate, 1);
        ant_waitgroup_add(&ended, n);
        for (int i = 0; i < n; i++)
            CHECK_INT(ant_go_opts(&(ant_go_options){.stack_size = 64 << 10}, goroutine, NULL), 0);
        ant_waitgroup_wait(&begun);
        ant_waitgroup_done(&gate);
        ant_waitgroup_wait(&ended);
    }
    return 0;
}

TEST(stack_guard_limit)
{
    if (!refuse_guard_install()) {
        printf("there is no seccomp here\n");
        return 0;
    }
    if (max_map_count() > 200000) {
        printf("vm.max_map_count is so large that it takes too long\n");
        return 0;
    }
    CHECK_INT(ant_run(run, NULL, NULL), 0);
    return 0;
}
