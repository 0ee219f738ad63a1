/* life_little_memory - a program that may have little address space: the runtime starts, or says that there
 * is no memory, or no thread. The process does not die of it.
 *
 * Catches: a start that succeeds without memory for the first goroutine's stack, which then ends the
 * process. */
#include <sys/resource.h>

#include <anthill.h>

#include "check.h"

static rlim_t limit;

static int nothing(void *arg)
{
    return 0;
}

static void child(void)
{
    int err;

    setrlimit(RLIMIT_AS, &(struct rlimit){limit, limit});
    err = ant_run(nothing, NULL, &(ant_config){.procs = 1});
    _exit(err == 0 ? 10 : err == -ENOMEM || err == -EAGAIN ? 11 : 12);
}

TEST(life_little_memory)
{
    char output[512];
    int started = 0, refused = 0;

    for (int mb = 4; mb < 256; mb += 4) {
        int status;

        limit = (rlim_t)mb << 20;
        status = test_child(child, output, sizeof output);
        if (!WIFEXITED(status) || WEXITSTATUS(status) > 11)
            FAIL("with %d MB: status 0x%x: %s", mb, status, output);
        started += WEXITSTATUS(status) == 10;
        refused += WEXITSTATUS(status) == 11;
    }
    CHECK(started > 0);
    CHECK(refused > 0);
    return 0;
}
