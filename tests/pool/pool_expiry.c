/* pool_expiry - when idle workers go: not before their expiry, though they note the time by a coarse
 * clock, and soon after it; of all kinds of pools; those that were used meanwhile stay; and without
 * an expiry given it is a second. */
#include <anthill.h>

#include "hand_clock.h"
#include "runtime/runtime.h"

enum { SIZE = 4, KINDS = 3 };

static const ant_duration tick = (ant_duration)1 << ANT__WHEEL_TICK_BITS;
static atomic_int arrived;

/* Returns when so many are there. */
static void meet(void *n)
{
    atomic_fetch_add(&arrived, 1);
    while (atomic_load(&arrived) < (int)(intptr_t)n)
        ant_yield();
}

/* ---- any kind of pool ---- */

struct pool {
    ant_pool *single;
    ant_multi_pool *multi;
    ant_time before_use; /* by the coarse clock */
};

static const char *const names[KINDS] = {"stack", "ring", "multi"};

static void make(struct pool *p, int kind, ant_duration expiry)
{
    ant_pool_options options = {.expiry = expiry, .name = names[kind], .prealloc = kind == 1};

    *p = (struct pool){0};
    if (kind < 2)
        CHECK_INT(ant_pool_new(&p->single, SIZE, &options), 0);
    else
        CHECK_INT(ant_multi_pool_new(&p->multi, 2, SIZE / 2, ANT_ROUND_ROBIN, &options), 0);
}

/* n workers work at the same time, and are idle then. */
static void use(struct pool *p, int n)
{
    void *arg = (void *)(intptr_t)n;

    p->before_use = ant__now_coarse();
    atomic_store(&arrived, 0);
    for (int i = 0; i < n; i++)
        CHECK_INT(p->multi ? ant_multi_pool_submit(p->multi, meet, arg)
                           : ant_pool_submit(p->single, meet, arg),
                  0);
    CHECK_INT(p->multi ? ant_multi_pool_wait(p->multi) : ant_pool_wait(p->single), 0);
}

static int running(const struct pool *p)
{
    return p->multi ? ant_multi_pool_running(p->multi) : ant_pool_running(p->single);
}

static void await(const struct pool *p, int n)
{
    double end = test_now() + 30;

    while (running(p) > n) {
        if (test_now() > end)
            FAIL("%d workers are left", running(p));
        ant_yield();
    }
    CHECK_INT(running(p), n);
}

static void destroy(struct pool *p)
{
    CHECK_INT(ant_pool_destroy(p->single), 0);
    CHECK_INT(ant_multi_pool_destroy(p->multi), 0);
}

/* ---- by hand ---- */

static void yield_often(void)
{
    for (int i = 0; i < 200; i++)
        ant_yield();
}

/* The purger may not be done yet. A timer that it starts when its time is past fires at the next tick,
 * which would never come. */
static void await_timer(void)
{
    while (ant__timers_next() == ANT__NEVER)
        ant_yield();
}

static int to_the_nanosecond(void *arg)
{
    const ant_duration expiry = 7 * ANT_MILLISECOND + 77;
    struct pool p;

    hand_clock_stop();
    for (int kind = 0; kind < KINDS; kind++) {
        make(&p, kind, expiry);
        use(&p, SIZE);
        hand_clock_forward(expiry / 2);
        use(&p, 1); /* it stays half an expiry longer */
        hand_clock_forward(expiry - expiry / 2 - 1);
        yield_often();
        CHECK_INT(running(&p), SIZE);
        hand_clock_forward(1 + tick);
        await(&p, 1);
        await_timer();
        hand_clock_forward(expiry / 2 - 2 - tick);
        yield_often();
        CHECK_INT(running(&p), 1);
        hand_clock_forward(2 + 2 * tick);
        await(&p, 0);
        destroy(&p);
    }
    return 0;
}

/* ---- by the clock ---- */

static void yield_for(ant_duration d)
{
    ant_time end = ant_now() + d;

    while (ant_now() < end)
        ant_yield();
}

/* A worker is not idle before it was used. The coarse clock is up to a step late, which is to be made
 * up for: so when a worker goes, an expiry and a step have passed since what that clock showed
 * before it was used. (It may be later than a step, by the machine's fault.) Beginning at various
 * times within a step. */
static void await_first_gone(const struct pool *p, ant_duration expiry)
{
    while (running(p) == SIZE)
        ant_sleep(20 * ANT_MICROSECOND);
    CHECK(ant_now() - p->before_use >= expiry + ant__coarse_step());
}

static int not_early(void *arg)
{
    const ant_duration expiry = 5 * ANT_MILLISECOND;
    struct pool p;

    for (int i = 0; i < test_scale(30); i++) {
        make(&p, i % KINDS, expiry);
        yield_for(i * 300 * ANT_MICROSECOND % (4 * ANT_MILLISECOND));
        use(&p, SIZE);
        await_first_gone(&p, expiry);
        await(&p, 0);
        destroy(&p);
    }
    return 0;
}

static int a_second(void *arg)
{
    struct pool pools[KINDS];

    for (int kind = 0; kind < KINDS; kind++) {
        make(&pools[kind], kind, 0);
        use(&pools[kind], SIZE);
    }
    for (int kind = 0; kind < KINDS; kind++) {
        await_first_gone(&pools[kind], ANT_SECOND);
        await(&pools[kind], 0);
        destroy(&pools[kind]);
    }
    return 0;
}

TEST(pool_expiry)
{
    CHECK_INT(ant_run(not_early, NULL, NULL), 0);
    CHECK_INT(ant_run(a_second, NULL, NULL), 0);
    ant__clock = hand_clock;
    return ant_run(to_the_nanosecond, NULL, NULL);
}
