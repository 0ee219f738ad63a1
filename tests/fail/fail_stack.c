/* fail_stack - a goroutine that cannot begin for lack of memory for its stack: one clear message,
 * and SIGABRT. */
#include <limits.h>
#include <signal.h>

#include <anthill.h>

#include "base/sys.h"
#include "check.h"

static void nothing(void *arg)
{
}

static int run(void *arg)
{
    CHECK_INT(ant_go_opts(&(ant_go_options){.stack_size = 4 << 20, .name = "large"}, nothing, NULL),
              0);
    ant__fail_times = LONG_MAX;
    ant__fail_after = 1;
    ant_sleep(ANT_HOUR);
    return 0;
}

static void child(void)
{
    ant_run(run, NULL, &(ant_config){.procs = 1});
}

TEST(fail_stack)
{
    char output[4096];
    int status;

    CHECK_INT(unsetenv("ANTHILL"), 0);
    status = test_child(child, output, sizeof output);
    if (!WIFSIGNALED(status) || WTERMSIG(status) != SIGABRT)
        FAIL("status 0x%x, %s", status, output);
    CHECK_INT(strncmp(output, "anthill: ", 9), 0);
    CHECK_HAS(output, "cannot begin: no memory for its stack of 4194304 bytes");
    return 0;
}
