/* pool_panic_no_descriptor - a task panics while the process has no descriptor left to gather the
 * report with: the logger is given the message alone. */
#include <errno.h>

#include <anthill.h>

#include "check.h"

static char logged[4096];

static void panic(void *arg)
{
    ant_panic("number %d", 4711);
}

static void take_text(const char *text, void *arg)
{
    CHECK_STR(logged, "");
    snprintf(logged, sizeof logged, "%s", text);
}

/* No number is free below the limit. */
static void forbid_descriptors(struct rlimit *before)
{
    CHECK_INT(getrlimit(RLIMIT_NOFILE, before), 0);
    CHECK_INT(setrlimit(RLIMIT_NOFILE, &(struct rlimit){0, before->rlim_max}), 0);
    CHECK_INT(dup(STDERR_FILENO), -1);
}

static int run(void *arg)
{
    struct rlimit before;
    ant_pool *pool;

    CHECK_INT(ant_pool_new(&pool, 1, &(ant_pool_options){.logger = take_text}), 0);
    forbid_descriptors(&before);
    CHECK_INT(ant_pool_submit(pool, panic, NULL), 0);
    CHECK_INT(ant_pool_wait(pool), 0);
    CHECK_INT(setrlimit(RLIMIT_NOFILE, &before), 0);
    CHECK_STR(logged, "number 4711");
    CHECK_INT(ant_pool_destroy(pool), 0);
    return 0;
}

TEST(pool_panic_no_descriptor)
{
    return ant_run(run, NULL, NULL);
}
