/* pool_release_zero_purge - a pool without tasks is released with a timeout of zero while its idle
 * workers expire: it returns 0 all the same, since there are no tasks left. */
#include <anthill.h>

#include "hand_clock.h"

static void nothing(void *arg)
{
}

static void play(int pause, const ant_pool_options *options)
{
    ant_pool *pool;

    CHECK_INT(ant_pool_new(&pool, 3, options), 0);
    CHECK_INT(ant_pool_submit(pool, nothing, NULL), 0);
    CHECK_INT(ant_pool_wait(pool), 0);
    for (int i = 0; i < pause; i++)
        ant_yield();
    CHECK_INT(ant_pool_release_timeout(pool, 0), 0);
    CHECK_INT(ant_pool_destroy(pool), 0);
}

static int run(void *arg)
{
    for (int i = 0; i < test_scale(1000); i++) {
        play(i % 20, &(ant_pool_options){.expiry = 1});
        play(i % 20, &(ant_pool_options){.expiry = 1, .prealloc = true});
    }
    return 0;
}

TEST(pool_release_zero_purge)
{
    ant__clock = hand_clock; /* the coarse one would make expiries rare */
    return ant_run(run, NULL, NULL);
}
