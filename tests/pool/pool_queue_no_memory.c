/* pool_queue_no_memory - a task cannot be queued for want of memory, for its record or for the copy of
 * its argument: its submitter is told so, and it never runs. A larger pool, when there is no goroutine
 * for what was queued: it waits for the next call, and then runs.
 *
 * Catches: a record that is lost, a task queued without its argument, one that is never run. */
#include <errno.h>

#include <anthill.h>

#include "check.h"
#include "fail_from.h"
#include "runtime/runtime.h"

enum { LARGE = 5000 };

static ant_pool *pool;
static ant_waitgroup gate;
static int ran;

static void wait_at_gate(void *arg)
{
    ant_waitgroup_wait(&gate);
}

static void check_and_count(void *arg)
{
    const char *bytes = arg;

    for (int i = 0; i < LARGE; i++)
        CHECK_INT(bytes[i], 'x');
    ran++;
}

static void nothing(void *arg)
{
}

/* Its only worker is busy. */
static void make_busy_pool(void)
{
    ant_waitgroup_add(&gate, 1);
    CHECK_INT(ant_pool_new(&pool, 1, &(ant_pool_options){.queue = 10}), 0);
    CHECK_INT(ant_pool_submit(pool, wait_at_gate, NULL), 0);
    ant_yield();
}

static void finish_pool(int expected)
{
    ant_waitgroup_done(&gate);
    CHECK_INT(ant_pool_wait(pool), 0);
    CHECK_INT(ran, expected);
    CHECK_INT(ant_pool_destroy(pool), 0);
    ran = 0;
}

static void check_submit(void)
{
    static char bytes[LARGE];
    int refused = 0, err;

    memset(bytes, 'x', sizeof bytes);
    make_busy_pool();
    do {
        fail_from(refused + 1);
        err = ant_pool_submit_copy(pool, check_and_count, bytes, sizeof bytes);
        fail_no_more();
        refused += err != 0;
        CHECK(err == 0 || err == -ENOMEM);
    } while (err);
    CHECK(refused >= 2); /* the record, the copy */
    finish_pool(1);
}

static void check_tune(void)
{
    static char bytes[LARGE];
    int err;

    memset(bytes, 'x', sizeof bytes);
    make_busy_pool();
    CHECK_INT(ant_pool_submit_copy(pool, check_and_count, bytes, sizeof bytes), 0);
    fail_from(1);
    while (ant_go(nothing, NULL) == 0)
        continue;
    fail_from(2); /* there is memory for a worker, but not for its goroutine */
    err = ant_pool_tune(pool, 2);
    fail_no_more();
    CHECK(err == 0 || err == -ENOMEM);
    ant_yield();
    finish_pool(1);
}

static int run(void *arg)
{
    check_submit();
    check_tune();
    return 0;
}

TEST(pool_queue_no_memory)
{
    ant__slice = ANT_HOUR;
    CHECK_INT(unsetenv("ANTHILL"), 0);
    CHECK_INT(ant_run(run, NULL, &(ant_config){.procs = 1}), 0);
    return 0;
}
