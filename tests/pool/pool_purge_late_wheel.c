/* pool_purge_late_wheel - the purger takes up a pool while the wheel that said it is due has not let go
 * of its timer yet: the timer is started anew only when it has. Else the wheel would then take the
 * new start for the old one, and the pool be freed with its timer pending. */
#include <anthill.h>

#include "hand_clock.h"
#include "pool/pool.h"

enum { POOLS = 20 };

static ant_time (*fire)(struct ant__timer *t, struct ant__p *p, struct ant__glist *out);

/* Gives the purger, if it runs on another P, the time to go too far. */
static ant_time fire_and_linger(struct ant__timer *t, struct ant__p *p, struct ant__glist *out)
{
    const struct ant__wheel *here = ant__load_relaxed(&t->wheel);
    ant_time again = fire(t, p, out);

    for (int i = 0; i < 20000 && ant__load_relaxed(&t->wheel) == here; i++)
        continue;
    return again;
}

static void nothing(void *arg)
{
}

static void play(void)
{
    ant_pool *pools[POOLS];

    for (int i = 0; i < POOLS; i++) {
        struct ant__pool *pool;

        CHECK_INT(ant_pool_new(&pools[i], 1, &(ant_pool_options){.expiry = 1}), 0);
        pool = (struct ant__pool *)pools[i];
        if (!fire)
            fire = pool->purge_timer.fire;
        pool->purge_timer.fire = fire_and_linger;
        CHECK_INT(ant_pool_submit(pools[i], nothing, NULL), 0);
    }
    for (int i = 0; i < POOLS; i++) {
        CHECK_INT(ant_pool_wait(pools[i]), 0);
        CHECK_INT(ant_pool_submit(pools[i], nothing, NULL), 0);
        ant_yield();
    }
    for (int i = 0; i < POOLS; i++)
        CHECK_INT(ant_pool_destroy(pools[i]), 0);
}

static int run(void *arg)
{
    for (int i = 0; i < test_scale(100); i++)
        play();
    return 0;
}

TEST(pool_purge_late_wheel)
{
    ant__clock = hand_clock; /* the coarse one would make expiries rare */
    return ant_run(run, NULL, NULL);
}
