/* pool_purge_earlier - a worker that becomes idle while the purger looks through the pool, on another
 * P, does not put off those that expire before it. The purger is held up where it must not be: where
 * it has given up looking after the pool, though there are idle workers. */
#include <sched.h>

#include <anthill.h>

#include "hand_clock.h"
#include "pool/pool.h"

enum { FIRST, SECOND, THIRD, WORKERS };
enum { NONE, LAID, SPRUNG };

static const ant_duration expiry = ANT_SECOND, tick = (ant_duration)1 << ANT__WHEEL_TICK_BITS;

static struct ant__pool *pool;
static atomic_int ambush, begun;
static atomic_int asking; /* for the time, and may look at the pool */
static atomic_bool gates[THIRD];
static ant_waitgroup third;
static const struct ant__g *main_g;
static const struct ant__g *_Atomic third_g;

static int running(void)
{
    return ant__pool_running(pool);
}

/* With all locks: one that is retired is counted out before it is taken off the idle ones. */
static int busy(void)
{
    struct ant__team *team = pool->teams;
    int n;

    for (uint32_t i = 0; i <= team->shard_mask; i++)
        ant__lock(&team->shards[i].lock);
    n = running();
    for (uint32_t i = 0; i <= team->shard_mask; i++) {
        n -= (int)team->shards[i].idle.len;
        ant__unlock(&team->shards[i].lock);
    }
    return n;
}

static bool purger_calls(void)
{
    const struct ant__g *g = ant__self();

    return g && g != main_g && g != atomic_load(&third_g);
}

/* Goes on when the third one is idle. That may be waiting for this P. */
static ant_time clock_with_ambush(void)
{
    atomic_fetch_add(&asking, 1);
    if (atomic_load(&ambush) == LAID && purger_calls() && !atomic_load(&pool->purge_on)) {
        atomic_store(&ambush, SPRUNG);
        while (busy() > 0 || !atomic_load(&pool->purge_on)) {
            ant__wake_one();
            sched_yield();
        }
    }
    atomic_fetch_sub(&asking, 1);
    return hand_clock();
}

static void wait_at_gate(void *arg)
{
    int i = (int)(intptr_t)arg;

    atomic_fetch_add(&begun, 1);
    while (!atomic_load(&gates[i]))
        ant_yield();
}

/* Until the purger is held up, or has retired the first one. */
static void wait_for_purger(void *arg)
{
    atomic_store(&third_g, ant__self());
    atomic_fetch_add(&begun, 1);
    while (atomic_load(&ambush) != SPRUNG && running() == WORKERS)
        ant_yield();
    ant_waitgroup_done(&third);
}

static void await(int (*count)(void), int n)
{
    double end = test_now() + 30;

    while (count() != n) {
        if (test_now() > end)
            FAIL("%d workers, not %d", count(), n);
        ant_yield();
    }
}

static int n_begun(void)
{
    return atomic_load(&begun);
}

static void open_gate(int i)
{
    atomic_store(&gates[i], true);
    await(busy, WORKERS - 1 - i);
}

/* A timer is started a tick ahead at least, which would not come if the clock were forward already. */
static void forward(ant_duration d)
{
    while (!ant__load_acquire(&pool->purge_timer.wheel))
        ant_yield();
    hand_clock_forward(d);
}

static void begin(bool prealloc)
{
    atomic_store(&begun, 0);
    CHECK_INT(ant_pool_new((ant_pool **)&pool, WORKERS,
                           &(ant_pool_options){.expiry = expiry, .prealloc = prealloc}),
              0);
    for (int i = 0; i < THIRD; i++)
        atomic_store(&gates[i], false);
    for (int i = 0; i < WORKERS; i++)
        CHECK_INT(ant_pool_submit((ant_pool *)pool, i == THIRD ? wait_for_purger : wait_at_gate,
                                  (void *)(intptr_t)i),
                  0);
    await(n_begun, WORKERS);
}

/* The first one expires, and the third one becomes idle: while the purger is held up, if it is. */
static void purge_first(void)
{
    ant_waitgroup_add(&third, 1);
    atomic_store(&ambush, LAID);
    forward(expiry / 2 + 2 * tick);
    ant_waitgroup_wait(&third);
    await(busy, 0);
    await(running, 2);
    atomic_store(&ambush, NONE);
    while (atomic_load(&asking) > 0) /* workers that end do, and the pool may be freed by then */
        ant_yield();
}

static void play(bool prealloc)
{
    begin(prealloc);
    open_gate(FIRST);
    forward(expiry / 2);
    open_gate(SECOND);
    purge_first();
    forward(expiry / 2 + 2 * tick);
    await(running, 1);
    forward(expiry);
    await(running, 0);
    CHECK_INT(ant_pool_destroy((ant_pool *)pool), 0);
}

static int run(void *arg)
{
    main_g = ant__self();
    hand_clock_stop();
    for (int i = 0; i < 20; i++)
        play(i % 2);
    return 0;
}

TEST(pool_purge_earlier)
{
    ant__clock = clock_with_ambush;
    return ant_run(run, NULL, NULL);
}
