/* pool_stats - the statistics tell what happened: each task that was started counts once, whether
 * its worker was idle, new, or came to serve who waited, after a panic or after tuning up. */
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"

enum { TASKS = 20 };

static ant_pool *pool;
static atomic_bool gate;
static atomic_int returned;

static void wait_at_gate(void *arg)
{
    while (!atomic_load(&gate))
        ant_sleep(ANT_MICROSECOND);
}

static void panic(void *arg)
{
    wait_at_gate(NULL);
    ant_panic("as it should");
}

static void ignore(const ant_panic_info *info, void *arg)
{
}

static void submit_panic(void *arg)
{
    CHECK_INT(ant_pool_submit(pool, panic, NULL), 0);
    atomic_fetch_add(&returned, 1);
}

static void submit_one(void *arg)
{
    CHECK_INT(ant_pool_submit(pool, wait_at_gate, NULL), 0);
    atomic_fetch_add(&returned, 1);
}

static ant_pool_stats look(void)
{
    ant_pool_stats stats;

    CHECK_INT(ant_pool_stats_get(pool, &stats), 0);
    CHECK_STR(stats.name, "counted");
    return stats;
}

static void begin(ant_pool_options options)
{
    options.name = "counted";
    options.panic_handler = ignore;
    options.disable_purge = true;
    atomic_store(&gate, false);
    atomic_store(&returned, 0);
    CHECK_INT(ant_pool_new(&pool, 2, &options), 0);
}

static void await_waiting(int n)
{
    while (ant_pool_waiting(pool) < n)
        ant_yield();
}

/* Who made a worker has its place before the worker has its task. */
static void await_started(uint64_t n)
{
    while (look().started < n)
        ant_yield();
}

static void end(void)
{
    atomic_store(&gate, true);
    while (atomic_load(&returned) < TASKS)
        ant_yield();
    CHECK_INT(ant_pool_wait(pool), 0);
}

static void plain(void)
{
    begin((ant_pool_options){0});
    CHECK_INT(look().started, 0);
    for (int i = 0; i < TASKS; i++)
        CHECK_INT(ant_go(submit_one, NULL), 0);
    await_waiting(TASKS - 2);
    await_started(2);
    CHECK_INT(look().busy, 2);
    CHECK_INT(look().idle, 0);
    CHECK_INT(look().waiting, TASKS - 2);
    CHECK_INT(look().capacity, 2);
    CHECK_INT(look().started, 2);
    CHECK_INT(ant_pool_try_submit(pool, wait_at_gate, NULL), ANT_EOVERLOAD);
    CHECK_INT(look().rejected, 1);
    end();
    CHECK_INT(look().started, TASKS);
    CHECK_INT(look().busy, 0);
    CHECK_INT(look().idle, ant_pool_running(pool));
    CHECK_INT(look().panicked, 0);
    CHECK_INT(look().expired, 0);
    CHECK_INT(ant_pool_destroy(pool), 0);
}

static void panics(int queue)
{
    begin((ant_pool_options){.queue = queue});
    for (int i = 0; i < TASKS; i++)
        CHECK_INT(ant_go(submit_panic, NULL), 0);
    await_waiting(TASKS - 2 - queue);
    CHECK_INT(look().queued, queue);
    end();
    CHECK_INT(look().panicked, TASKS);
    CHECK_INT(look().busy, 0);
    CHECK_INT(look().started, TASKS);
    CHECK_INT(ant_pool_destroy(pool), 0);
}

static void tuned_up(void)
{
    begin((ant_pool_options){0});
    for (int i = 0; i < TASKS; i++)
        CHECK_INT(ant_go(submit_one, NULL), 0);
    await_waiting(TASKS - 2);
    CHECK_INT(ant_pool_tune(pool, TASKS), 0);
    end();
    CHECK_INT(look().started, TASKS);
    CHECK_INT(ant_pool_destroy(pool), 0);
}

static void pass(void *arg)
{
}

static void submit_to_itself(void *arg)
{
    CHECK_INT(ant_pool_submit(pool, pass, NULL), arg ? 0 : ANT_EDEADLOCK);
}

/* A task that its submitter runs is started, and not rejected. A deadlock is no lack of room. */
static void in_place(void)
{
    begin((ant_pool_options){.caller_runs = true, .nonblocking = true});
    for (int i = 0; i < 2; i++)
        CHECK_INT(ant_pool_submit(pool, wait_at_gate, NULL), 0);
    for (int i = 0; i < 3; i++)
        CHECK_INT(ant_pool_submit(pool, pass, NULL), 0);
    CHECK_INT(look().started, 5);
    CHECK_INT(look().rejected, 0);
    atomic_store(&gate, true);
    CHECK_INT(ant_pool_destroy(pool), 0);
    for (int runs = 0; runs < 2; runs++) {
        CHECK_INT(
            ant_pool_new(&pool, 1, &(ant_pool_options){.name = "counted", .caller_runs = runs}), 0);
        CHECK_INT(ant_pool_submit(pool, submit_to_itself, runs ? &gate : NULL), 0);
        CHECK_INT(ant_pool_wait(pool), 0);
        CHECK_INT(look().started, 1 + runs);
        CHECK_INT(look().rejected, 0);
        CHECK_INT(ant_pool_destroy(pool), 0);
    }
}

static int run(void *arg)
{
    in_place();
    for (int i = 0; i < test_scale(20); i++) {
        plain();
        panics(0);
        panics(3);
        tuned_up();
    }
    return 0;
}

TEST(pool_stats)
{
    return ant_run(run, NULL, NULL);
}
