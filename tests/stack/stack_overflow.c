/* stack_overflow - an overflow ends the process with SIGABRT and a message that tells the
 * goroutine's number, name, entry function, the size of its stack and how to raise it: found by the
 * guard as it happens, or by the canary when the goroutine next suspends or ends. */
#include <signal.h>

#include <anthill.h>

#include "check.h"
#include "deep.h"
#include "runtime/runtime.h"

static ant_go_options options;
static ant_waitgroup never;
static bool suspend;
static size_t default_size = 256 << 10;

void digging_function(void *arg);

/* 4 and 8 KB may have become 16 KB and a guard. Known when the runtime has run once. */
static size_t real_size(size_t size)
{
    return size == 0 ? default_size : (size_t)1 << ant__stack_class(size);
}

static int run_once(void *arg)
{
    return 0;
}

/* Only a little too deep: a canary does not stop it, and there is a neighbour. */
void digging_function(void *arg)
{
    size_t size = real_size(options.stack_size);

    if (size < 16 << 10)
        fill(size);
    else
        dig(size);
    if (suspend)
        ant_yield();
}

/* So that there is a neighbour: one that nothing leads to, as a timer would, since what the digger
 * writes over it is to be found by the canary, not by an M that stumbles over it. */
static void park(void *begun)
{
    ant_waitgroup_done(begun);
    ant_waitgroup_wait(&never);
}

static int run(void *arg)
{
    ant_waitgroup begun = {0};

    ant_waitgroup_add(&never, 1);
    ant_waitgroup_add(&begun, 10);
    for (int i = 0; i < 10; i++)
        CHECK_INT(ant_go_opts(&options, park, &begun), 0);
    ant_waitgroup_wait(&begun);
    CHECK_INT(ant_go_opts(&options, digging_function, NULL), 0);
    ant_sleep(ANT_HOUR);
    return 0;
}

static void child(void)
{
    /* One P, so that when main goes on the others are parked and off their stacks. */
    ant_run(run, NULL, &(ant_config){.procs = 1, .stack_size = default_size});
}

static void check(size_t size, const char *name)
{
    static char output[65536];
    const char *line;
    unsigned long long id;
    char expected[128];
    void *address;
    int status;

    options = (ant_go_options){.name = name, .stack_size = size};
    status = test_child(child, output, sizeof output);
    if (!WIFSIGNALED(status) || WTERMSIG(status) != SIGABRT)
        FAIL("stack of %zu: status 0x%x, %s", size, status, output);
    line = strstr(output, "anthill: stack overflow at ");
    if (!line)
        FAIL("stack of %zu: no message in %s", size, output);
    CHECK_INT(sscanf(line, "anthill: stack overflow at %p in goroutine %llu", &address, &id), 2);
    CHECK(id > 1);
    if (name)
        CHECK_HAS(line, name);
    size = real_size(size);
    snprintf(expected, sizeof expected, "has %zu bytes", size);
    CHECK_HAS(line, expected);
    CHECK_HAS(line, "ant_go_options.stack_size");
    snprintf(expected, sizeof expected, "ANTHILL=stack=%zuk", size / 512);
    CHECK_HAS(line, expected);
    CHECK_HAS(output, "entry digging_function+0x");
}

TEST(stack_overflow)
{
    CHECK_INT(unsetenv("ANTHILL"), 0);
    CHECK_INT(ant_run(run_once, NULL, NULL), 0);
    for (int i = 0; i < 2; i++) {
        suspend = i;
        check(64 << 10, NULL);
        check(0, "default digger");
        check(1 << 20, NULL);
        if (TEST_SANITIZED) /* with their large frames 64 KB is the least */
            continue;
        check(16 << 10, "digger");
        check(2 << 10, "small digger");
        check(4 << 10, NULL);
        check(8 << 10, "digger");
    }
    default_size = 128 << 10;
    check(0, "digger");
    return 0;
}
