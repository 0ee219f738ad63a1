/* api_wheel_model - the timer wheel against a naive model, with a clock that the test sets: random
 * armings, disarmings and steps of time, near and far, with long standstills, refused firings and
 * moves from one wheel to another. After every step the same timers are pending in both; what fires
 * is due, and nothing that is due is left. */
#include <anthill.h>

#include "check.h"
#include "runtime/runtime.h"

enum { TIMERS = 300 };

#define TICK ((ant_time)1 << ANT__WHEEL_TICK_BITS)

static struct item {
    struct ant__timer timer; /* first */
    bool pending;            /* the rest is the model */
    bool refuse;             /* to fire, the next time */
    int wheel;
    ant_time when;
    uint64_t due; /* tick */
} items[TIMERS];

static struct ant__p ps[2]; /* the second one's wheel is moved to the first's now and then */
static ant_time now;
static uint64_t state;
static long fired, refused;

static ant_time test_clock(void)
{
    return now;
}

static uint64_t random_below(uint64_t n)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state % n;
}

/* Small ones and enormous ones, up to 60 years. */
static ant_duration random_duration(int kinds)
{
    static const ant_duration most[] = {1,
                                        1000,
                                        2 * TICK,
                                        300 * TICK,
                                        ANT__WHEEL_L0 * TICK,
                                        70 * ANT__WHEEL_L0 * TICK,
                                        ANT_MINUTE,
                                        10 * ANT_HOUR,
                                        10000 * ANT_HOUR,
                                        500000 * ANT_HOUR};

    return (ant_duration)random_below((uint64_t)most[random_below((uint64_t)kinds)] + 1);
}

static struct ant__wheel *wheel(int i)
{
    return &ps[i].wheel;
}

/* When the wheel should fire it, as things are now. */
static uint64_t due_tick(const struct item *item)
{
    uint64_t tick = ((uint64_t)item->when + TICK - 1) / TICK;

    return tick > wheel(item->wheel)->now ? tick : wheel(item->wheel)->now + 1;
}

static ant_time fire(struct ant__timer *t, struct ant__p *p, struct ant__glist *out)
{
    struct item *item = (struct item *)t;

    CHECK(item->pending);
    if (now < item->when)
        FAIL("fires %lld ns early", (long long)(item->when - now));
    CHECK_INT(wheel(item->wheel)->now, item->due);
    if (item->refuse) { /* as if there were no memory: it comes again a millisecond later */
        item->refuse = false;
        item->when = (ant_time)item->due * TICK + ANT_MILLISECOND;
        item->due = due_tick(item);
        refused++;
        return item->when;
    }
    item->pending = false;
    fired++;
    return 0;
}

static void arm(struct item *item)
{
    ant_time before;
    bool first;

    item->wheel = (int)random_below(2);
    item->when = now + random_duration(10);
    if (random_below(10) == 0)
        item->when = now - random_duration(4); /* past */
    if (random_below(50) == 0)
        item->when = INT64_MAX - (ant_time)random_below(1000);
    if (item->when < 0)
        item->when = 0;
    item->refuse = random_below(20) == 0;
    item->timer.fire = fire;
    before = wheel(item->wheel)->next;
    first = ant__timer_arm(&ps[item->wheel], &item->timer, item->when);
    CHECK_INT(first, wheel(item->wheel)->next < before);
    item->pending = true;
    if (item->when > INT64_MAX / 2)
        item->when = INT64_MAX / 2; /* in 146 years we shall see */
    item->due = due_tick(item);
}

static void disarm(struct item *item)
{
    CHECK_INT(ant__timer_disarm(&item->timer), item->pending);
    CHECK_INT(ant__timer_disarm(&item->timer), false);
    item->pending = false;
}

static void run_wheels(void)
{
    struct ant__glist out = {0};

    for (int w = 0; w < 2; w++) {
        do /* a number at a time */
            ant__wheel_run(wheel(w), now, &ps[w], &out);
        while (now >= wheel(w)->next);
    }
    CHECK_INT(out.n, 0);
    for (int i = 0; i < TIMERS; i++) {
        if (items[i].pending && items[i].due <= (uint64_t)(now / TICK))
            FAIL("left behind: due at tick %llu, now %llu", (unsigned long long)items[i].due,
                 (unsigned long long)(now / TICK));
    }
}

static void move_wheel(void)
{
    ant__wheel_move(wheel(0), wheel(1));
    for (int i = 0; i < TIMERS; i++) {
        if (!items[i].pending || items[i].wheel == 0)
            continue;
        items[i].wheel = 0;
        items[i].due = due_tick(&items[i]);
    }
}

/* Both wheels hold what the model holds, and promise to be looked at in time. */
static void check_wheels(void)
{
    int64_t counts[2] = {0};

    for (int i = 0; i < TIMERS; i++) {
        struct item *item = &items[i];

        CHECK_INT(item->timer.wheel != NULL, item->pending);
        if (!item->pending)
            continue;
        CHECK(item->timer.wheel == wheel(item->wheel));
        CHECK(wheel(item->wheel)->next <= (ant_time)item->due * TICK);
        counts[item->wheel]++;
    }
    for (int w = 0; w < 2; w++) {
        CHECK_INT(wheel(w)->count, counts[w]);
        CHECK_INT(wheel(w)->next == ANT__NEVER, counts[w] == 0);
    }
}

static void step_time(void)
{
    ant_time next = wheel(0)->next < wheel(1)->next ? wheel(0)->next : wheel(1)->next;

    switch (random_below(4)) {
    case 0: /* to the very moment, or just before */
        if (next != ANT__NEVER && next > now && next - now < 10000 * ANT_HOUR)
            now = next - (ant_time)random_below(2);
        break;
    case 1:
        now += random_duration(random_below(20) ? 6 : 9); /* a long standstill, now and then */
        break;
    default:
        now += random_duration(5);
    }
}

static void step(void)
{
    struct item *item = &items[random_below(TIMERS)];

    switch (random_below(100)) {
    case 0:
        move_wheel();
        break;
    case 1: /* all gone: the wheels stand still while time goes on */
        for (int i = 0; i < TIMERS; i++)
            disarm(&items[i]);
        break;
    case 2 ... 60:
        if (!item->pending)
            arm(item);
        break;
    case 61 ... 75:
        disarm(item);
        break;
    default:
        step_time();
        run_wheels();
    }
}

static void run(uint64_t seed, int steps)
{
    state = seed * 0x9e3779b97f4a7c15u | 1;
    now = random_below(2) ? (ant_time)random_below(1000 * ANT_HOUR) : 0;
    for (int w = 0; w < 2; w++)
        ant__wheel_init(wheel(w), now);
    for (int i = 0; i < steps && now < INT64_MAX / 4; i++) {
        step();
        check_wheels();
    }
    for (int i = 0; i < TIMERS; i++)
        disarm(&items[i]);
    check_wheels();
}

TEST(api_wheel_model)
{
    const char *seed = getenv("SEED"); /* to go over one run again */
    int runs = test_scale(100);

    ant__clock = test_clock;
    for (int i = 1; i <= runs; i++)
        run(seed ? (uint64_t)atoll(seed) : (uint64_t)i, 3000);
    CHECK(fired > 500L * runs && refused > 0);
    return 0;
}
