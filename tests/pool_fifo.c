/* pool_fifo - who waits longest is served first: when a worker becomes free, and, one after the
 * other, as the limit is raised. A submit that comes while others wait does not pass them, though a
 * worker may just have become free; nobody waits longer than it takes to serve those before it. The
 * same for tasks in the queue: they and those who wait behind them come in order. */
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"

enum { WAITERS = 30, NEWCOMERS = 10, ALL = WAITERS + NEWCOMERS, HOGS = 4 };

static ant_pool *pool;
static atomic_bool gate;
static int order[ALL];
static atomic_int next, returned;

static void wait_at_gate(void *arg)
{
    while (!atomic_load(&gate))
        ant_sleep(ANT_MICROSECOND);
}

static void note(void *arg)
{
    order[atomic_fetch_add(&next, 1)] = (int)(intptr_t)arg;
    ant_yield();
}

static void submit_one(void *arg)
{
    CHECK_INT(ant_pool_submit(pool, note, arg), 0);
    atomic_fetch_add(&returned, 1);
}

static int in_line(void)
{
    ant_pool_stats stats;

    CHECK_INT(ant_pool_stats_get(pool, &stats), 0);
    return stats.queued + stats.waiting;
}

static void begin(const ant_pool_options *options)
{
    atomic_store(&gate, false);
    atomic_store(&next, 0);
    atomic_store(&returned, 0);
    CHECK_INT(ant_pool_new(&pool, 1, options), 0);
    CHECK_INT(ant_pool_submit(pool, wait_at_gate, NULL), 0);
}

static void stand_in_line(void (*fn)(void *))
{
    for (int i = 0; i < WAITERS; i++) {
        CHECK_INT(ant_go(fn, (void *)(intptr_t)i), 0);
        while (in_line() <= i)
            ant_yield();
    }
}

static void check_order(int n)
{
    for (int i = 0; i < n; i++)
        CHECK_INT(order[i], i);
}

/* While the line is served there come others. */
static void play(const ant_pool_options *options)
{
    begin(options);
    stand_in_line(submit_one);
    atomic_store(&gate, true);
    for (int i = WAITERS; i < ALL; i++)
        submit_one((void *)(intptr_t)i);
    while (atomic_load(&returned) < ALL)
        ant_yield();
    CHECK_INT(ant_pool_destroy(pool), 0);
    check_order(ALL);
}

/* ---- as the limit is raised ---- */

/* One at a time: the next one comes when this was seen. */
static void note_and_stay(void *arg)
{
    order[atomic_load(&next)] = (int)(intptr_t)arg;
    atomic_fetch_add(&next, 1);
    wait_at_gate(NULL);
}

static void submit_and_stay(void *arg)
{
    CHECK_INT(ant_pool_submit(pool, note_and_stay, arg), 0);
    atomic_fetch_add(&returned, 1);
}

static void raise_limit(int queue)
{
    begin(&(ant_pool_options){.queue = queue});
    stand_in_line(submit_and_stay);
    for (int i = 0; i < WAITERS; i++) {
        CHECK_INT(ant_pool_tune(pool, i + 2), 0);
        while (atomic_load(&next) <= i)
            ant_yield();
        CHECK_INT(order[i], i);
        CHECK_INT(in_line(), WAITERS - 1 - i);
        if (!queue)
            CHECK_INT(ant_pool_try_submit(pool, note, NULL), ANT_EOVERLOAD);
    }
    atomic_store(&gate, true);
    while (atomic_load(&returned) < WAITERS)
        ant_yield();
    CHECK_INT(ant_pool_destroy(pool), 0);
    check_order(WAITERS);
}

/* ---- beside others that never stop ---- */

static atomic_bool stop;
static atomic_int hogs;
static atomic_long hogged;

static void hog_task(void *arg)
{
    atomic_fetch_add(&hogged, 1);
}

static void hog(void *arg)
{
    while (!atomic_load(&stop))
        CHECK_INT(ant_pool_submit(pool, hog_task, NULL), 0);
    atomic_fetch_sub(&hogs, 1);
}

/* Its turn has come: only those have been before it that waited when the gate was opened. */
static void take_turn(void *before)
{
    CHECK(atomic_load(&hogged) - *(long *)before <= HOGS);
    atomic_store(&gate, false);
    atomic_fetch_add(&next, 1);
    wait_at_gate(NULL);
}

static void submit_turn(void *before)
{
    CHECK_INT(ant_pool_submit(pool, take_turn, before), 0);
    atomic_fetch_add(&returned, 1);
}

/* Four that submit without end, and one that does so now and then. The gate is opened when all of
 * them wait. */
static void no_starvation(const ant_pool_options *options)
{
    int turns = test_scale(200);
    long before;

    atomic_store(&stop, false);
    atomic_store(&hogs, HOGS);
    begin(options);
    for (int i = 0; i < HOGS; i++)
        CHECK_INT(ant_go(hog, NULL), 0);
    for (int i = 0; i < turns; i++) {
        CHECK_INT(ant_go(submit_turn, &before), 0);
        while (ant_pool_waiting(pool) < HOGS + 1)
            ant_yield();
        before = atomic_load(&hogged);
        atomic_store(&gate, true);
        while (atomic_load(&next) <= i)
            ant_yield();
    }
    CHECK(atomic_load(&hogged) > 0);
    atomic_store(&stop, true);
    atomic_store(&gate, true);
    while (atomic_load(&hogs) > 0 || atomic_load(&returned) < turns)
        ant_yield();
    CHECK_INT(ant_pool_destroy(pool), 0);
}

static int run(void *arg)
{
    for (int i = 0; i < test_scale(40); i++) {
        play(NULL);
        play(&(ant_pool_options){.prealloc = true});
        play(&(ant_pool_options){.queue = 7});
        play(&(ant_pool_options){.queue = WAITERS});
        raise_limit(0);
        raise_limit(7);
    }
    no_starvation(NULL);
    no_starvation(&(ant_pool_options){.prealloc = true});
    return 0;
}

int main(void)
{
    return ant_run(run, NULL, NULL);
}
