/* pool_table - every option, with both containers of idle workers, in pools of all six kinds:
 * each task that was accepted runs once, figures and calls agree, through a release and a second
 * life. */
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"

enum { TASKS = 60, FEW_TASKS = 12, PANICS = 6, POOLS = 3, SIZE = 6 }; /* every 6th panics */

static atomic_int ran[TASKS], panics, logged;
static int tasks;

static void task(int i)
{
    atomic_fetch_add(&ran[i], 1);
    if (i % 3)
        ant_yield();
    if (i % PANICS == PANICS - 1)
        ant_panic("task %d", i);
}

static void task_at(void *arg)
{
    task(*(int *)arg);
}

ANT_FUNC_POOL_DEFINE(typed, int);
ANT_MULTI_FUNC_POOL_DEFINE(multi_typed, int);

static typed the_typed;
static multi_typed the_multi_typed;

/* ---- one set of calls for all kinds ---- */

struct kind {
    const char *name;
    int pools;
    int (*make)(void **ret_pool, const ant_pool_options *options);
    int (*submit)(void *pool, int i, int form);
    int (*running)(void *pool);
    int (*cap)(void *pool);
    int (*stats)(void *pool, ant_pool_stats *ret_stats);
    int (*tune)(void *pool, int size);
    int (*wait)(void *pool);
    int (*release_timeout)(void *pool, ant_duration timeout);
    int (*reboot)(void *pool);
    int (*destroy)(void *pool);
};

#define CALLS(kind)                                                                                \
    static int kind##_running_(void *p)                                                            \
    {                                                                                              \
        CHECK_INT(kind##_waiting(p), 0);                                                           \
        return kind##_running(p);                                                                  \
    }                                                                                              \
    static int kind##_cap_(void *p)                                                                \
    {                                                                                              \
        CHECK_INT(kind##_free(p), kind##_cap(p) - kind##_running(p));                              \
        return kind##_cap(p);                                                                      \
    }                                                                                              \
    static int kind##_stats_(void *p, ant_pool_stats *stats)                                       \
    {                                                                                              \
        return kind##_stats_get(p, stats);                                                         \
    }                                                                                              \
    static int kind##_tune_(void *p, int size)                                                     \
    {                                                                                              \
        return kind##_tune(p, size);                                                               \
    }                                                                                              \
    static int kind##_wait_(void *p)                                                               \
    {                                                                                              \
        return kind##_wait(p);                                                                     \
    }                                                                                              \
    static int kind##_release_timeout_(void *p, ant_duration timeout)                              \
    {                                                                                              \
        int err = kind##_release_timeout(p, timeout);                                              \
                                                                                                   \
        CHECK(kind##_is_closed(p));                                                                \
        return err;                                                                                \
    }                                                                                              \
    static int kind##_reboot_(void *p)                                                             \
    {                                                                                              \
        int err = kind##_reboot(p);                                                                \
                                                                                                   \
        CHECK(!kind##_is_closed(p));                                                               \
        return err;                                                                                \
    }                                                                                              \
    static int kind##_destroy_(void *p)                                                            \
    {                                                                                              \
        return kind##_destroy(p);                                                                  \
    }

CALLS(ant_pool)
CALLS(ant_func_pool)
CALLS(ant_multi_pool)
CALLS(ant_multi_func_pool)

#define THE_CALLS(kind)                                                                            \
    .running = kind##_running_, .cap = kind##_cap_, .stats = kind##_stats_, .tune = kind##_tune_,  \
    .wait = kind##_wait_, .release_timeout = kind##_release_timeout_, .reboot = kind##_reboot_,    \
    .destroy = kind##_destroy_

static int make_pool(void **ret, const ant_pool_options *o)
{
    return ant_pool_new((ant_pool **)ret, SIZE, o);
}

static int submit_pool(void *p, int i, int form)
{
    return form == 0   ? ant_pool_submit_copy(p, task_at, &i, sizeof i)
           : form == 1 ? ant_pool_try_submit_copy(p, task_at, &i, sizeof i)
                       : ant_pool_submit_copy_ctx(p, task_at, &i, sizeof i, NULL);
}

static int make_func(void **ret, const ant_pool_options *o)
{
    return ant_func_pool_new((ant_func_pool **)ret, SIZE, task_at, sizeof(int), o);
}

static int submit_func(void *p, int i, int form)
{
    return form == 0   ? ant_func_pool_invoke(p, &i)
           : form == 1 ? ant_func_pool_try_invoke(p, &i)
                       : ant_func_pool_invoke_ctx(p, &i, NULL);
}

static int make_typed(void **ret, const ant_pool_options *o)
{
    int err = typed_new(&the_typed, SIZE, task, o);

    *ret = typed_any(&the_typed);
    return err;
}

static int submit_typed(void *p, int i, int form)
{
    return form == 0   ? typed_invoke(&the_typed, i)
           : form == 1 ? typed_try_invoke(&the_typed, i)
                       : typed_invoke_ctx(&the_typed, i, NULL);
}

static int make_multi(void **ret, const ant_pool_options *o)
{
    return ant_multi_pool_new((ant_multi_pool **)ret, POOLS, SIZE, ANT_ROUND_ROBIN, o);
}

static int submit_multi(void *p, int i, int form)
{
    return form == 0   ? ant_multi_pool_submit_copy(p, task_at, &i, sizeof i)
           : form == 1 ? ant_multi_pool_try_submit_copy(p, task_at, &i, sizeof i)
                       : ant_multi_pool_submit_copy_ctx(p, task_at, &i, sizeof i, NULL);
}

static int make_multi_func(void **ret, const ant_pool_options *o)
{
    return ant_multi_func_pool_new((ant_multi_func_pool **)ret, POOLS, SIZE, task_at, sizeof(int),
                                   ANT_LEAST_TASKS, o);
}

static int submit_multi_func(void *p, int i, int form)
{
    return form == 0   ? ant_multi_func_pool_invoke(p, &i)
           : form == 1 ? ant_multi_func_pool_try_invoke(p, &i)
                       : ant_multi_func_pool_invoke_ctx(p, &i, NULL);
}

static int make_multi_typed(void **ret, const ant_pool_options *o)
{
    int err = multi_typed_new(&the_multi_typed, POOLS, SIZE, task, ANT_LEAST_TASKS, o);

    *ret = multi_typed_any(&the_multi_typed);
    return err;
}

static int submit_multi_typed(void *p, int i, int form)
{
    return form == 0   ? multi_typed_invoke(&the_multi_typed, i)
           : form == 1 ? multi_typed_try_invoke(&the_multi_typed, i)
                       : multi_typed_invoke_ctx(&the_multi_typed, i, NULL);
}

static const struct kind kinds[] = {
    {"pool", 1, make_pool, submit_pool, THE_CALLS(ant_pool)},
    {"func", 1, make_func, submit_func, THE_CALLS(ant_func_pool)},
    {"typed", 1, make_typed, submit_typed, THE_CALLS(ant_func_pool)},
    {"multi", POOLS, make_multi, submit_multi, THE_CALLS(ant_multi_pool)},
    {"multi func", POOLS, make_multi_func, submit_multi_func, THE_CALLS(ant_multi_func_pool)},
    {"multi typed", POOLS, make_multi_typed, submit_multi_typed, THE_CALLS(ant_multi_func_pool)},
};

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
    {"queue", {.queue = 9}},
    {"queue, nonblocking", {.queue = 9, .nonblocking = true}},
    {"caller_runs", {.caller_runs = true, .queue = 1}},
    {"stack_size", {.stack_size = 65536}},
    {"logger", {.logger = write_log}},
};

/* ---- the play ---- */

static const struct kind *kind;
static void *pool;

struct submission {
    int i;
    int err;
};

static void submit_one(void *arg)
{
    struct submission *s = arg;

    do {
        s->err = kind->submit(pool, s->i, s->i % 3);
        if (s->err)
            ant_yield();
    } while (s->err == ANT_EOVERLOAD);
}

/* A task that the caller runs itself panics in the caller. */
static int submit_all(bool by_caller)
{
    int mine = 0;

    for (int i = 0; i < tasks; i++) {
        struct submission s = {.i = i};

        if (by_caller && ant_try(submit_one, &s, NULL)) {
            mine++;
            continue;
        }
        if (!by_caller)
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

static void check_figures(const ant_pool_options *o, int panicked)
{
    ant_pool_stats stats;

    CHECK_INT(kind->stats(pool, &stats), 0);
    CHECK_STR(stats.name, o->name);
    CHECK_INT(stats.capacity, kind->pools * SIZE);
    CHECK_INT(stats.busy, 0);
    CHECK_INT(stats.panicked, panicked);
    CHECK_INT(stats.queued + stats.waiting, 0);
    CHECK(kind->running(pool) <= kind->pools * SIZE);
}

static void one_life(const ant_pool_options *o, int *panicked)
{
    int mine;

    atomic_store(&panics, 0);
    atomic_store(&logged, 0);
    mine = submit_all(o->caller_runs);
    CHECK_INT(kind->wait(pool), 0);
    check_ran();
    CHECK_INT(atomic_load(o->logger ? &logged : &panics), tasks / PANICS - mine);
    *panicked += tasks / PANICS - mine;
    check_figures(o, *panicked);
}

static void play(ant_pool_options o)
{
    int panicked = 0;

    o.panic_handler = o.logger ? NULL : handle;
    o.panic_arg = &panics;
    o.logger_arg = &logged;
    CHECK_INT(kind->make(&pool, &o), 0);
    CHECK_INT(kind->running(pool), kind->pools * o.min_workers);
    CHECK_INT(kind->cap(pool), kind->pools * SIZE);
    one_life(&o, &panicked);
    CHECK_INT(kind->release_timeout(pool, ANT_HOUR), 0);
    CHECK_INT(kind->submit(pool, 0, 0), ANT_ECLOSED);
    CHECK_INT(kind->running(pool), 0);
    CHECK_INT(kind->reboot(pool), 0);
    CHECK_INT(kind->running(pool), kind->pools * o.min_workers);
    one_life(&o, &panicked);
    CHECK_INT(kind->tune(pool, SIZE - 1) == 0, !o.prealloc);
    CHECK_INT(kind->destroy(pool), 0);
}

static int run(void *arg)
{
    tasks = test_scale(TASKS) < TASKS ? FEW_TASKS : TASKS;
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        kind = &kinds[k];
        for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
            ant_pool_options o = table[i].options;

            play(o);
            o.prealloc = true;
            play(o);
        }
    }
    while (ant_count() > 1)
        ant_yield();
    return 0;
}

int main(void)
{
    return ant_run(run, NULL, NULL);
}
