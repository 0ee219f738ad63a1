/* pool_stamps - a submit finds an idle worker, but no memory to make it ready: the worker is put
 * back so that the idle ones still lie in the order in which they became idle, on which it depends
 * who expires. Nothing else happens to them, and the submit succeeds when there is memory. */
#include <errno.h>

#include <anthill.h>

#include "base/sys.h"
#include "hand_clock.h"
#include "one_p.h"
#include "pool/pool.h"

enum { SIZE = 40 };

static ant_pool *pool;
static int arrived, ran;

static void meet(void *arg)
{
    arrived++;
    while (arrived < SIZE)
        ant_yield();
    hand_clock_forward(1); /* so that no two stamps are the same */
}

static void count(void *arg)
{
    ran++;
    hand_clock_forward(1);
}

static void check_order(size_t len)
{
    const struct ant__idle *idle = &((struct ant__pool *)pool)->teams->shards->idle;

    CHECK_INT(idle->len, len);
    for (size_t i = 1; i < len; i++)
        CHECK(idle->items[ant__idle_slot(idle, i - 1)]->last_used <
              idle->items[ant__idle_slot(idle, i)]->last_used);
}

/* There is one P and it is ours, so that none of the tasks begins. Returns how many submits
 * succeeded before there was no room left for more ready ones, and memory for that was refused. */
static int fill_up(void)
{
    int n = 0, err;

    ant__fail_times = SIZE;
    ant__fail_after = 1;
    while ((err = ant_pool_submit(pool, count, NULL)) == 0)
        n++;
    ant__fail_after = 0;
    CHECK_INT(err, -ENOMEM);
    return n;
}

static void play(bool prealloc)
{
    int n;

    arrived = ran = 0;
    CHECK_INT(ant_pool_new(&pool, SIZE, &(ant_pool_options){.prealloc = prealloc}), 0);
    for (int i = 0; i < SIZE; i++) {
        CHECK_INT(ant_pool_submit(pool, meet, NULL), 0);
        ant_yield(); /* lest there be room for so many ready ones */
    }
    CHECK_INT(ant_pool_wait(pool), 0);
    check_order(SIZE);
    n = fill_up();
    CHECK(n > 0 && n < SIZE);
    check_order((size_t)(SIZE - n));
    CHECK_INT(ant_pool_submit(pool, count, NULL), 0);
    CHECK_INT(ant_pool_wait(pool), 0);
    CHECK_INT(ran, n + 1);
    check_order(SIZE);
    CHECK_INT(ant_pool_destroy(pool), 0);
}

static int run(void *arg)
{
    hand_clock_stop();
    play(false);
    play(true);
    return 0;
}

TEST(pool_stamps)
{
    ant__clock = hand_clock;
    return run_on_one_p(run);
}
