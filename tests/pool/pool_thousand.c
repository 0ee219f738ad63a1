/* pool_thousand - the idle workers of many pools expire: all of them go, and that takes few
 * goroutines at a time, and few in all, whether they expire in the same moment or one after the
 * other, and also if the expiry is no multiple of the coarse clock's step. The records go, too. */
#include <stdatomic.h>

#include <anthill.h>

#include "hand_clock.h"
#include "pool/pool.h"

enum { AT_A_TIME = 16 };

static ant_pool *pools[1000];
static int n;

static void nothing(void *arg)
{
}

static uint64_t created(void)
{
    ant_stats stats;

    CHECK_INT(ant_stats_get(&stats), 0);
    return stats.created;
}

static void make_all(ant_duration expiry)
{
    for (int i = 0; i < n; i++) {
        CHECK_INT(ant_pool_new(&pools[i], 2, &(ant_pool_options){.expiry = expiry}), 0);
        CHECK_INT(ant_pool_submit(pools[i], nothing, NULL), 0);
        CHECK_INT(ant_pool_wait(pools[i]), 0);
    }
}

static bool has_worker(ant_pool *pool)
{
    return ant_pool_running(pool) > 0;
}

static bool has_record(ant_pool *any)
{
    struct ant__pool *pool = (struct ant__pool *)any;
    struct ant__m *m = ant__enter();
    bool has;

    ant__lock(&pool->records_lock);
    has = pool->all != NULL;
    ant__unlock(&pool->records_lock);
    ant__leave(m);
    return has;
}

static void await_none(bool (*has)(ant_pool *))
{
    double end = test_now() + 50;

    for (int i = 0; i < n; i++) {
        while (has(pools[i])) {
            CHECK(ant_count() <= AT_A_TIME);
            CHECK(test_now() < end);
            ant_yield();
        }
    }
}

static void destroy_all(void)
{
    for (int i = 0; i < n; i++)
        CHECK_INT(ant_pool_destroy(pools[i]), 0);
}

/* How often a pool is due is bounded: for its worker, and for that one's record. */
static void one_after_the_other(ant_duration expiry)
{
    uint64_t before = created();

    make_all(expiry);
    await_none(has_worker);
    await_none(has_record);
    CHECK(created() - before <= 4 * (uint64_t)n + AT_A_TIME); /* one of them for the task */
    destroy_all();
}

static int run_real(void *arg)
{
    int all = n;

    one_after_the_other(10 * ANT_MILLISECOND);
    one_after_the_other(7300 * ANT_MICROSECOND);
    one_after_the_other(1);
    n = 1;
    for (int i = 0; i < 10; i++)
        one_after_the_other(7300 * ANT_MICROSECOND + i * 100 * ANT_MICROSECOND);
    n = all;
    return 0;
}

/* Timers fire in handfuls, of each P, and for each one purger may be needed. */
static int run_by_hand(void *arg)
{
    ant_duration expiry = 10 * ANT_MILLISECOND;
    uint64_t before;

    hand_clock_stop();
    make_all(expiry);
    before = created();
    hand_clock_forward(expiry - 1);
    for (int i = 0; i < 100; i++)
        ant_yield();
    for (int i = 0; i < n; i++)
        CHECK_INT(ant_pool_running(pools[i]), 1);
    CHECK_INT(created(), before);
    hand_clock_forward(1);
    hand_clock_forward(1 << ANT__WHEEL_TICK_BITS);
    await_none(has_worker);
    hand_clock_forward(expiry + (1 << ANT__WHEEL_TICK_BITS));
    await_none(has_record);
    CHECK(created() - before <= (uint64_t)n / 4 + AT_A_TIME);
    destroy_all();
    return 0;
}

TEST(pool_thousand)
{
    n = test_scale(1000);
    CHECK_INT(ant_run(run_real, NULL, NULL), 0);
    ant__clock = hand_clock;
    return ant_run(run_by_hand, NULL, NULL);
}
