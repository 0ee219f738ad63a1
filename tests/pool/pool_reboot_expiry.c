/* pool_reboot_expiry - one releases the pool and another one opens it at the same time, and uses
 * it: who stops the purging of the last life does not stop that of the new one. Idle workers
 * expire, though nobody calls any more. */
#include <anthill.h>

#include "hand_clock.h"

static ant_pool *pool;
static atomic_int returned;

static void nothing(void *arg)
{
}

static void release(void *arg)
{
    int err = ant_pool_release(pool);

    CHECK(err == 0 || err == ANT_ECLOSED);
    atomic_fetch_add(&returned, 1);
}

static void reboot_and_use(void *arg)
{
    CHECK_INT(ant_pool_reboot(pool), 0);
    for (int i = 0; i < 3; i++) {
        int err = ant_pool_submit(pool, nothing, NULL);

        CHECK(err == 0 || err == ANT_ECLOSED);
    }
    atomic_fetch_add(&returned, 1);
}

static void play(int i)
{
    atomic_store(&returned, 0);
    CHECK_INT(ant_go(i % 2 ? release : reboot_and_use, NULL), 0);
    CHECK_INT(ant_go(i % 2 ? reboot_and_use : release, NULL), 0);
    CHECK_INT(ant_go(reboot_and_use, NULL), 0);
    while (atomic_load(&returned) < 3)
        ant_yield();
    while (ant_pool_running(pool) > 0)
        ant_sleep(10 * ANT_MICROSECOND);
    CHECK_INT(ant_pool_reboot(pool), 0);
    CHECK_INT(ant_pool_submit(pool, nothing, NULL), 0);
}

static void lives(bool prealloc, ant_duration expiry)
{
    CHECK_INT(ant_pool_new(&pool, 3, &(ant_pool_options){.expiry = expiry, .prealloc = prealloc}),
              0);
    for (int i = 0; i < test_scale(60); i++)
        play(i);
    CHECK_INT(ant_pool_destroy(pool), 0);
}

static int run(void *arg)
{
    lives(false, 300 * ANT_MICROSECOND);
    lives(true, 300 * ANT_MICROSECOND);
    lives(false, 1);
    lives(true, 1);
    return 0;
}

TEST(pool_reboot_expiry)
{
    ant__clock = hand_clock; /* the coarse one would make expiries rare */
    return ant_run(run, NULL, NULL);
}
