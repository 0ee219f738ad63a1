/* go_nil.c - a goroutine without function is refused, and nothing comes of it.
 *
 * Catches: a jump to address 0, or a goroutine that is counted and never runs.
 */
#include <errno.h>

#include <anthill.h>

#include "check.h"

static void refused(void)
{
    int n = ant_count();

    CHECK_INT(ant_go(NULL, &n), -EINVAL);
    CHECK_INT(ant_go_copy(NULL, &n, sizeof n), -EINVAL);
    CHECK_INT(ant_go_opts(NULL, NULL, &n), -EINVAL);
    CHECK_INT(ant_go_opts(&(ant_go_options){.name = "nobody"}, NULL, NULL), -EINVAL);
    CHECK_INT(ant_count(), n);
}

static int run(void *arg)
{
    for (int i = 0; i < 100; i++)
        refused();
    ant_yield();
    CHECK_INT(ant_count(), 1);
    return 0;
}

TEST(go_nil)
{
    CHECK_INT(ant_run(NULL, NULL, NULL), -EINVAL);
    refused();
    CHECK_INT(ant_run(run, NULL, NULL), 0);
    return 0;
}
