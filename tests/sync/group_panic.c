/* group_panic - a panic in a function of a group is not caught by the group: it ends the process,
 * and the wait does not return before. */
#include <signal.h>

#include <anthill.h>

#include "check.h"

static int panics(void *arg)
{
    ant_panic("no luck");
}

static int run(void *arg)
{
    ant_group group = {0};

    CHECK_INT(ant_group_go(&group, panics, NULL), 0);
    ant_group_wait(&group);
    FAIL("the wait returned");
}

static void child(void)
{
    ant_run(run, NULL, NULL);
}

TEST(group_panic)
{
    char output[8192];
    int status = test_child(child, output, sizeof output);

    if (!WIFSIGNALED(status) || WTERMSIG(status) != SIGABRT)
        FAIL("status 0x%x, output \"%s\"", status, output);
    CHECK_HAS(output, "panic in goroutine ");
    CHECK_HAS(output, ": no luck\n");
    CHECK(!strstr(output, "the wait returned"));
    return 0;
}
