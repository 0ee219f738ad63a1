/* stack_guard_modes - the same work with each way of guarding stacks: madvise where the kernel has
 * it, mprotect, canary; overflows are found with each. */
#include <signal.h>

#include "deep.h"
#include "stack_guards.h"

static const char *mode;
static bool overflow;
static ant_waitgroup wg;

static void goroutine(void *arg)
{
    for (int i = 0; i < 20; i++) {
        dig((i % 5 + 1) * 8192);
        if (i % 3)
            ant_yield();
        else
            ant_sleep(ANT_MICROSECOND);
    }
    ant_waitgroup_done(&wg);
}

static void overflowing(void *arg)
{
    if (strcmp(mode, "canary"))
        dig(256 << 10);
    else
        fill(256 << 10);
    ant_yield();
}

static int run(void *arg)
{
    int n = test_is_slow() ? 40 : 200;

    CHECK_STR(guard_in_use(), mode);
    for (int round = 0; round < 5; round++) {
        ant_waitgroup_add(&wg, n);
        for (int i = 0; i < n; i++)
            CHECK_INT(ant_go(goroutine, NULL), 0);
        ant_waitgroup_wait(&wg);
    }
    if (overflow) {
        CHECK_INT(ant_go_opts(&(ant_go_options){.name = "the digger"}, overflowing, NULL), 0);
        ant_sleep(ANT_HOUR);
    }
    return 0;
}

static void child(void)
{
    if (!strcmp(mode, "mprotect") && !refuse_guard_install())
        _exit(77);
    if (!strcmp(mode, "canary"))
        refuse_guards();
    CHECK_INT(ant_run(run, NULL, NULL), 0);
}

static void check(void)
{
    static char output[65536];
    int status;

    overflow = false;
    status = test_child(child, output, sizeof output);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 77) {
        printf("there is no seccomp here: %s not tested\n", mode);
        return;
    }
    if (status != 0)
        FAIL("%s: status 0x%x, %s", mode, status, output);
    overflow = true;
    status = test_child(child, output, sizeof output);
    if (!WIFSIGNALED(status) || WTERMSIG(status) != SIGABRT)
        FAIL("%s: status 0x%x, %s", mode, status, output);
    CHECK_HAS(output, "anthill: stack overflow at ");
    CHECK_HAS(output, "the digger");
}

TEST(stack_guard_modes)
{
    CHECK_INT(ant_start(NULL), 0);
    mode = guard_in_use();
    CHECK_INT(ant_stop(), 0);
    printf("here by default: %s\n", mode);
    check();
    mode = "mprotect";
    check();
    mode = "canary";
    check();
    return 0;
}
