/* pool_handler_wait - a panic handler that waits for its own pool, or destroys it, would wait for
 * itself: it is told so as a task is, and does not hang. */
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"

static ant_pool *pool;
static atomic_int handled;

static void panic(void *arg)
{
    ant_panic("as it should");
}

static void wait_for_oneself(const ant_panic_info *info, void *arg)
{
    CHECK_INT(ant_pool_wait(pool), ANT_EDEADLOCK);
    CHECK_INT(ant_pool_destroy(pool), ANT_EDEADLOCK);
    CHECK_INT(ant_pool_release_timeout(pool, ANT_HOUR), ANT_EDEADLOCK);
    atomic_fetch_add(&handled, 1);
}

static int run(void *arg)
{
    CHECK_INT(ant_pool_new(&pool, 1, &(ant_pool_options){.panic_handler = wait_for_oneself}), 0);
    CHECK_INT(ant_pool_submit(pool, panic, NULL), 0);
    CHECK_INT(ant_pool_wait(pool), 0);
    CHECK_INT(atomic_load(&handled), 1);
    CHECK_INT(ant_pool_destroy(pool), 0);
    return 0;
}

TEST(pool_handler_wait)
{
    return ant_run(run, NULL, NULL);
}
