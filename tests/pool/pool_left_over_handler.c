/* pool_left_over_handler - a panic handler that was still at it when the runtime was stopped leaves
 * nothing behind either, once its pool is destroyed: not even what it was told about the panic. */
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"

static ant_pool *pool;
static atomic_bool handling;

static void panic(void *arg)
{
    ant_panic("as it should");
}

static void handle_on(const ant_panic_info *info, void *arg)
{
    atomic_store(&handling, true);
    ant_sleep(ANT_HOUR);
    FAIL("it slept for an hour: %s", info->message);
}

static int run(void *arg)
{
    atomic_store(&handling, false);
    CHECK_INT(ant_pool_new(&pool, 1, &(ant_pool_options){.panic_handler = handle_on}), 0);
    CHECK_INT(ant_pool_submit(pool, panic, NULL), 0);
    while (!atomic_load(&handling))
        ant_yield();
    CHECK_INT(ant_pool_release_timeout(pool, 1), ANT_ETIMEOUT);
    return 0;
}

TEST(pool_left_over_handler)
{
    for (int i = 0; i < 10; i++) {
        CHECK_INT(ant_run(run, NULL, NULL), 0);
        CHECK_INT(ant_pool_destroy(pool), 0);
    }
    return 0;
}
