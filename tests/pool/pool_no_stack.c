/* pool_no_stack - tasks that wait need a stack each, and get it one after the other. If there is no
 * memory for the next one, though its task was accepted, the process ends, and says why; it does not
 * hang. A submit is told -ENOMEM as long as nothing is accepted. */
#include <errno.h>
#include <limits.h>
#include <signal.h>

#include <anthill.h>

#include "base/sys.h"
#include "check.h"

enum { TASKS = 5000 };

static ant_waitgroup never;

static void wait_for_ever(void *arg)
{
    ant_waitgroup_wait(&never);
}

static void refuse_all(void)
{
    ant__fail_times = LONG_MAX;
    ant__fail_after = 1;
}

static int run(void *arg)
{
    ant_pool *pool;

    CHECK_INT(
        ant_pool_new(&pool, TASKS, &(ant_pool_options){.name = "the pool", .min_workers = TASKS}),
        0);
    ant_waitgroup_add(&never, 1);
    for (int i = 0; i < TASKS; i++)
        CHECK_INT(ant_pool_submit(pool, wait_for_ever, NULL), 0);
    refuse_all();
    ant_pool_wait(pool);
    return 0;
}

static void child(void)
{
    ant_run(run, NULL, &(ant_config){.procs = 1});
}

static void nothing(void *arg)
{
}

static int run_refused(void *arg)
{
    ant_pool *pool;

    CHECK_INT(ant_pool_new(&pool, 1, NULL), 0);
    refuse_all();
    CHECK_INT(ant_pool_submit(pool, nothing, NULL), -ENOMEM);
    CHECK_INT(ant_pool_submit(pool, nothing, NULL), -ENOMEM);
    ant__fail_after = 0;
    CHECK_INT(ant_pool_submit(pool, nothing, NULL), 0);
    CHECK_INT(ant_pool_destroy(pool), 0);
    return 0;
}

TEST(pool_no_stack)
{
    static char output[4096];
    int status = test_child(child, output, sizeof output);

    CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
    CHECK_HAS(output, "no memory for ");
    return ant_run(run_refused, NULL, NULL);
}
