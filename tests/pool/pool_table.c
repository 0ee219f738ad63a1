/* pool_table - every option, with both containers of idle workers, in pools of all six kinds:
 * each task that was accepted runs once, figures and calls agree, through a release and a second
 * life; and what the option promises is seen: in tasks, with a pool that is full, and with one that
 * is left alone. By a goroutine, and, with multi pools of the other strategy, by a plain thread. */
#include <stdatomic.h>

#include <anthill.h>

#include "deep.h"
#include "pool_kinds.h"
#include "runtime/preempt.h"

enum {
    TASKS = 60,
    FEW_TASKS = 12,
    PANICS = 6, /* every 6th panics */
    SIZE = 6,
    LARGE_STACK = 1 << 20,
    LARGE_FRAME = 300 << 10, /* more than a stack has by default */
    /* Tasks that are not counted in ran. */
    STAY = -1, /* until the gate is opened */
    PASS = -2,
    PASS_COPY = -3, /* travels as a copy */
};

static const struct pool_kind *kind;
static void *pool;
static ant_pool_options options;

static atomic_int ran[TASKS], panics, logged, passed;
static atomic_bool dug;
static _Atomic uint64_t passed_in; /* in which goroutine */
static ant_waitgroup gate;
static int tasks;

/* ---- tasks ---- */

static void dig_once(void)
{
    if (options.stack_size == LARGE_STACK && !atomic_exchange(&dug, true))
        fill(LARGE_FRAME);
}

static bool may_be_interrupted(void)
{
    struct ant__g *g = ant__self();

    return g && ant__g_is(g, ANT__G_PREEMPT);
}

static void count(int i)
{
    atomic_fetch_add(&ran[i], 1);
    if (i % 3)
        ant_yield();
    if (i % PANICS == PANICS - 1)
        ant_panic("task %d", i);
}

static void task(int i)
{
    CHECK_INT(may_be_interrupted(), options.preempt == ANT_PREEMPT_SIGNAL);
    if (i == STAY) {
        dig_once();
        ant_waitgroup_wait(&gate);
    } else if (i == PASS || i == PASS_COPY) {
        atomic_store(&passed_in, ant_id());
        atomic_fetch_add(&passed, 1);
    } else {
        count(i);
    }
}

/* ---- options ---- */

static void handle(const ant_panic_info *info, void *arg)
{
    CHECK_INT(strncmp(info->message, "task ", 5), 0);
    atomic_fetch_add((atomic_int *)arg, 1);
}

static void write_log(const char *text, void *arg)
{
    CHECK_HAS(text, "task ");
    atomic_fetch_add((atomic_int *)arg, 1);
}

static const struct {
    const char *name;
    ant_pool_options options;
} table[] = {
    {"none", {0}},
    {"name", {.name = "a name"}},
    {"expiry", {.expiry = ANT_MILLISECOND}},
    {"short expiry", {.expiry = 1}},
    {"disable_purge", {.disable_purge = true}},
    {"min_workers", {.min_workers = 4, .expiry = ANT_MICROSECOND}},
    {"nonblocking", {.nonblocking = true}},
    {"max_blocking", {.max_blocking = 1}},
    {"larger max_blocking", {.max_blocking = 4}},
    {"queue", {.queue = 9}},
    {"queue, nonblocking", {.queue = 9, .nonblocking = true}},
    {"queue, max_blocking", {.queue = 2, .max_blocking = 3}},
    {"caller_runs", {.caller_runs = true, .queue = 1}},
    {"caller_runs, nonblocking", {.caller_runs = true, .nonblocking = true}},
    {"stack_size", {.stack_size = LARGE_STACK}},
    {"preempt", {.preempt = ANT_PREEMPT_SIGNAL}},
    {"logger", {.logger = write_log}},
};

/* ---- a pool that is full ---- */

static atomic_int returned;

static void submit_late(void *arg)
{
    CHECK_INT(kind->submit(pool, PASS, PLAIN, NULL), 0);
    atomic_fetch_add(&returned, 1);
}

static void stay_all(const struct pool_kind *k, void *p)
{
    for (int i = 0; i < k->pools * SIZE; i++)
        CHECK_INT(k->submit(p, STAY, PLAIN, NULL), 0);
    CHECK_INT(k->running(p), k->pools * SIZE);
    CHECK_INT(k->free(p), 0);
}

static ant_pool_stats stats_now(void)
{
    ant_pool_stats stats;

    CHECK_INT(kind->stats(pool, &stats), 0);
    return stats;
}

/* One more, to a pool in which nobody can wait. Returns whether the caller had to run it. */
static bool submit_too_much(int i, enum form form)
{
    int before = atomic_load(&passed);
    int err = kind->submit(pool, i, form, NULL);

    if (!options.caller_runs) {
        CHECK_INT(err, ANT_EOVERLOAD);
        CHECK_INT(atomic_load(&passed), before);
        return false;
    }
    CHECK_INT(err, 0);
    CHECK_INT(atomic_load(&passed), before + 1);
    CHECK_INT(atomic_load(&passed_in), ant_id());
    return true;
}

static int submit_too_many(void)
{
    bool nobody_waits = options.nonblocking || options.max_blocking;
    uint64_t rejected = stats_now().rejected;
    int refused = 0, mine = 0;

    for (enum form form = PLAIN; form < FORMS; form++) {
        if (nobody_waits || form == TRY) {
            refused += 2;
            mine += submit_too_much(PASS, form) + submit_too_much(PASS_COPY, form);
        }
    }
    if (!options.caller_runs)
        CHECK_INT(stats_now().rejected - rejected, refused);
    return mine;
}

/* max_blocking and queue are for all pools of a multi pool together. */
static void check_full(void)
{
    int waiters = options.nonblocking ? 0 : options.max_blocking ? options.max_blocking : 2;
    ant_pool_stats stats;
    int mine;

    atomic_store(&passed, 0);
    atomic_store(&returned, 0);
    atomic_store(&dug, false);
    ant_waitgroup_add(&gate, 1);
    stay_all(kind, pool);
    for (int i = 0; i < options.queue; i++)
        CHECK_INT(kind->submit(pool, PASS, (enum form)(i % FORMS), NULL), 0);
    for (int i = 0; i < waiters; i++)
        CHECK_INT(ant_go(submit_late, NULL), 0);
    while (kind->waiting(pool) < waiters)
        ant_yield();
    mine = submit_too_many();
    stats = stats_now();
    CHECK_INT(stats.busy, kind->pools * SIZE);
    CHECK_INT(stats.queued, options.queue);
    CHECK_INT(stats.waiting, waiters);
    CHECK_INT(atomic_load(&returned), 0);
    CHECK_INT(atomic_load(&passed), mine);
    ant_waitgroup_done(&gate);
    while (atomic_load(&returned) < waiters)
        ant_yield();
    CHECK_INT(kind->wait(pool), 0);
    CHECK_INT(atomic_load(&passed), mine + options.queue + waiters);
    CHECK_INT(atomic_load(&dug), options.stack_size == LARGE_STACK);
}

/* ---- many tasks ---- */

struct submission {
    int i;
    int err;
};

static void submit_one(void *arg)
{
    struct submission *s = arg;

    do {
        s->err = kind->submit(pool, s->i, (enum form)(s->i % FORMS), NULL);
        if (s->err)
            ant_yield();
    } while (s->err == ANT_EOVERLOAD);
}

/* A task that the caller runs itself panics in the caller. */
static int submit_all(void)
{
    int mine = 0;

    for (int i = 0; i < tasks; i++) {
        struct submission s = {.i = i};

        if (options.caller_runs && ant_try(submit_one, &s, NULL)) {
            mine++;
            continue;
        }
        if (!options.caller_runs)
            submit_one(&s);
        CHECK_INT(s.err, 0);
    }
    return mine;
}

static void check_ran(void)
{
    for (int i = 0; i < tasks; i++)
        CHECK_INT(atomic_exchange(&ran[i], 0), 1);
}

static void check_figures(int panicked)
{
    ant_pool_stats stats = stats_now();

    CHECK_STR(stats.name, options.name);
    CHECK_INT(stats.capacity, kind->pools * SIZE);
    CHECK_INT(stats.busy, 0);
    CHECK_INT(stats.panicked, panicked);
    CHECK_INT(stats.queued + stats.waiting, 0);
    CHECK(kind->running(pool) <= kind->pools * SIZE);
    CHECK_INT(kind->waiting(pool), 0);
}

static void one_life(int *panicked)
{
    int mine;

    atomic_store(&panics, 0);
    atomic_store(&logged, 0);
    mine = submit_all();
    CHECK_INT(kind->wait(pool), 0);
    check_ran();
    CHECK_INT(atomic_load(options.logger ? &logged : &panics), tasks / PANICS - mine);
    *panicked += tasks / PANICS - mine;
    check_figures(*panicked);
}

static void check_new(void)
{
    CHECK(!kind->is_closed(pool));
    CHECK_INT(kind->running(pool), kind->pools * options.min_workers);
    CHECK_INT(kind->cap(pool), kind->pools * SIZE);
    CHECK_INT(kind->free(pool), kind->cap(pool) - kind->running(pool));
}

static void play(ant_pool_options o)
{
    int panicked = 0;

    o.panic_handler = o.logger ? NULL : handle;
    o.panic_arg = &panics;
    o.logger_arg = &logged;
    options = o;
    CHECK_INT(kind->make(&pool, SIZE, &o), 0);
    check_new();
    check_full();
    one_life(&panicked);
    CHECK_INT(kind->release_timeout(pool, ANT_HOUR), 0);
    CHECK(kind->is_closed(pool));
    CHECK_INT(kind->submit(pool, 0, PLAIN, NULL), ANT_ECLOSED);
    CHECK_INT(kind->running(pool), 0);
    CHECK_INT(kind->reboot(pool), 0);
    check_new();
    one_life(&panicked);
    check_full();
    CHECK_INT(kind->tune(pool, SIZE - 1) == 0, !o.prealloc);
    CHECK_INT(kind->destroy(pool), 0);
}

/* ---- pools that are left alone ---- */

static const struct {
    ant_pool_options options;
    int left; /* of SIZE workers */
} left_alone[] = {
    /* Those that keep their workers come first: were the option ignored they had lost them before
     * the others do. */
    {{.expiry = ANT_HOUR}, SIZE},
    {{.expiry = 1, .disable_purge = true}, SIZE},
    {{.expiry = -1, .disable_purge = true}, SIZE},
    {{.expiry = ANT_MICROSECOND, .min_workers = 4}, 4},
    {{.expiry = ANT_MILLISECOND, .min_workers = 1}, 1},
    {{.expiry = ANT_MILLISECOND}, 0},
    {{.expiry = 1}, 0},
};

enum { ALONE = sizeof left_alone / sizeof *left_alone, EXPIRIES = 3 };

static void await_idle(const struct pool_kind *k, void *p, int left)
{
    CHECK_INT(k->wait(p), 0);
    while (k->running(p) > k->pools * left)
        ant_sleep(100 * ANT_MICROSECOND);
}

/* All at once, since each waits. */
static void check_expiry(bool prealloc)
{
    static void *pools[ALONE][KINDS];

    options = (ant_pool_options){0};
    for (int n = 0; n < EXPIRIES; n++) {
        ant_waitgroup_add(&gate, 1);
        for (int i = 0; i < ALONE; i++) {
            for (int k = 0; k < KINDS; k++) {
                ant_pool_options o = left_alone[i].options;

                o.prealloc = prealloc;
                if (n == 0)
                    CHECK_INT(pool_kinds[k].make(&pools[i][k], SIZE, &o), 0);
                stay_all(&pool_kinds[k], pools[i][k]);
            }
        }
        ant_waitgroup_done(&gate);
        for (int i = 0; i < ALONE; i++)
            for (int k = 0; k < KINDS; k++)
                await_idle(&pool_kinds[k], pools[i][k], left_alone[i].left);
        for (int i = 0; i < ALONE; i++)
            for (int k = 0; k < KINDS; k++)
                CHECK_INT(pool_kinds[k].running(pools[i][k]),
                          pool_kinds[k].pools * left_alone[i].left);
    }
    for (int i = 0; i < ALONE; i++)
        for (int k = 0; k < KINDS; k++)
            CHECK_INT(pool_kinds[k].destroy(pools[i][k]), 0);
}

/* ---- all of it ---- */

static int run(void *arg)
{
    tasks = test_scale(TASKS) < TASKS ? FEW_TASKS : TASKS;
    for (int k = 0; k < KINDS; k++) {
        kind = &pool_kinds[k];
        for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
            ant_pool_options o = table[i].options;

            play(o);
            o.prealloc = true;
            play(o);
        }
    }
    check_expiry(false);
    check_expiry(true);
    while (ant_count() > *(int *)arg)
        ant_yield();
    return 0;
}

TEST(pool_table)
{
    CHECK_INT(ant_run(run, &(int){1}, NULL), 0);
    other_strategy = true;
    CHECK_INT(ant_start(NULL), 0);
    CHECK_INT(run(&(int){0}), 0);
    CHECK_INT(ant_stop(), 0);
    return 0;
}
