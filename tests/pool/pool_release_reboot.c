/* pool_release_reboot - who waits in a release until all tasks have returned is told when the pool is
 * opened again, at once and however busy the next life is. ant_pool_wait goes on waiting.
 *
 * Catches: a release that waits for the tasks of the next life too, for ever if there are always
 * some. */
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"

static ant_pool *pool;
static atomic_bool gate;
static atomic_int results, waited;
static ant_waitgroup wg;

static void wait_at_gate(void *arg)
{
    while (!atomic_load(&gate))
        ant_sleep(100 * ANT_MICROSECOND);
}

static void release(void *arg)
{
    int err = arg ? ant_pool_release_timeout(pool, ANT_HOUR) : ant_pool_release_ctx(pool, NULL);

    CHECK_INT(err, ANT_EREBOOTED);
    atomic_fetch_add(&results, 1);
    ant_waitgroup_done(&wg);
}

static void wait_for_all(void *arg)
{
    CHECK_INT(ant_pool_wait(pool), 0);
    CHECK(atomic_load(&gate));
    atomic_fetch_add(&waited, 1);
    ant_waitgroup_done(&wg);
}

static void play(bool timeout)
{
    atomic_store(&gate, false);
    atomic_store(&waited, 0);
    CHECK_INT(ant_pool_new(&pool, 2, NULL), 0);
    CHECK_INT(ant_pool_submit(pool, wait_at_gate, NULL), 0);
    ant_waitgroup_add(&wg, 2);
    CHECK_INT(ant_go(wait_for_all, NULL), 0);
    CHECK_INT(ant_go(release, timeout ? &gate : NULL), 0);
    while (!ant_pool_is_closed(pool))
        ant_yield();
    CHECK_INT(ant_pool_reboot(pool), 0);
    CHECK_INT(ant_pool_submit(pool, wait_at_gate, NULL), 0);
    while (atomic_load(&results) == 0) /* the gate is still shut */
        ant_yield();
    atomic_store(&results, 0);
    CHECK_INT(atomic_load(&waited), 0);
    atomic_store(&gate, true);
    ant_waitgroup_wait(&wg);
    CHECK_INT(ant_pool_release_timeout(pool, ANT_HOUR), 0);
    CHECK_INT(ant_pool_destroy(pool), 0);
}

static int run(void *arg)
{
    for (int i = 0; i < test_scale(200); i++)
        play(i % 2);
    return 0;
}

TEST(pool_release_reboot)
{
    return ant_run(run, NULL, NULL);
}
