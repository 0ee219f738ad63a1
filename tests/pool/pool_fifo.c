/* pool_fifo - who waits longest is served first: when a worker becomes free, and, one after the
 * other, as the limit is raised. A submit that comes while others wait does not pass them, though a
 * worker may just have become free; nobody waits longer than it takes to serve those before it. The
 * same for tasks in the queue: they and those who wait behind them come in order. Goroutines and plain
 * threads wait in the same line, and those of a multi pool have one line for all its pools. */
#include <pthread.h>
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"

enum { WAITERS = 30, NEWCOMERS = 10, ALL = WAITERS + NEWCOMERS, HOGS = 4, POOLS = 3 };

static ant_pool *pool;
static ant_multi_pool *multi; /* or it is this */
static atomic_bool gate, end_gate;
static int order[ALL];
static atomic_int next, returned;

static void wait_at_gate(void *arg)
{
    while (!atomic_load(&gate))
        ant_sleep(ANT_MICROSECOND);
}

static void wait_for_end(void *arg)
{
    while (!atomic_load(&end_gate))
        ant_sleep(ANT_MICROSECOND);
}

static void note(void *arg)
{
    order[atomic_fetch_add(&next, 1)] = (int)(intptr_t)arg;
    ant_yield();
}

static int submit(void (*fn)(void *), void *arg)
{
    return multi ? ant_multi_pool_submit(multi, fn, arg) : ant_pool_submit(pool, fn, arg);
}

static void submit_one(void *arg)
{
    CHECK_INT(submit(note, arg), 0);
    atomic_fetch_add(&returned, 1);
}

static int in_line(void)
{
    ant_pool_stats stats;

    CHECK_INT(multi ? ant_multi_pool_stats_get(multi, &stats) : ant_pool_stats_get(pool, &stats),
              0);
    return stats.queued + stats.waiting;
}

static void begin(const ant_pool_options *options)
{
    atomic_store(&gate, false);
    atomic_store(&next, 0);
    atomic_store(&returned, 0);
    CHECK_INT(ant_pool_new(&pool, 1, options), 0);
    CHECK_INT(submit(wait_at_gate, NULL), 0);
}

/* The worker of one of the pools will come free, those of the others will not. */
static void begin_multi(const ant_pool_options *options, int which)
{
    atomic_store(&gate, false);
    atomic_store(&end_gate, false);
    atomic_store(&next, 0);
    atomic_store(&returned, 0);
    CHECK_INT(ant_multi_pool_new(&multi, POOLS, 1, which % 2 ? ANT_ROUND_ROBIN : ANT_LEAST_TASKS,
                                 options),
              0);
    for (int i = 0; i < POOLS; i++)
        CHECK_INT(submit(i == which ? wait_at_gate : wait_for_end, NULL), 0);
}

static void end(void)
{
    while (atomic_load(&returned) < ALL || atomic_load(&next) < ALL)
        ant_yield();
    atomic_store(&end_gate, true);
    CHECK_INT(multi ? ant_multi_pool_destroy(multi) : ant_pool_destroy(pool), 0);
    multi = NULL;
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
static void serve_all(void)
{
    atomic_store(&gate, true);
    for (int i = WAITERS; i < ALL; i++)
        submit_one((void *)(intptr_t)i);
    end();
    check_order(ALL);
}

static void play(const ant_pool_options *options)
{
    begin(options);
    stand_in_line(submit_one);
    serve_all();
}

static void play_multi(const ant_pool_options *options)
{
    for (int which = 0; which < POOLS; which++) {
        begin_multi(options, which);
        stand_in_line(submit_one);
        serve_all();
    }
}

/* ---- goroutines and threads ---- */

static void *submit_in_thread(void *arg)
{
    submit_one(arg);
    return NULL;
}

static void play_mixed(void)
{
    pthread_t threads[WAITERS];

    for (int i = 0; i < WAITERS; i++) {
        void *arg = (void *)(intptr_t)i;

        CHECK_INT(i % 2 ? pthread_create(&threads[i], NULL, submit_in_thread, arg)
                        : ant_go(submit_one, arg),
                  0);
        while (in_line() <= i)
            ant_yield();
    }
    serve_all();
    for (int i = 1; i < WAITERS; i += 2)
        CHECK_INT(pthread_join(threads[i], NULL), 0);
}

static void play_both_mixed(const ant_pool_options *options)
{
    begin(options);
    play_mixed();
    begin_multi(options, POOLS - 1);
    play_mixed();
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
        play_multi(NULL);
        play_multi(&(ant_pool_options){.prealloc = true});
        play_multi(&(ant_pool_options){.queue = 7});
    }
    for (int i = 0; i < test_scale(8); i++) {
        play_both_mixed(NULL);
        play_both_mixed(&(ant_pool_options){.queue = 7, .prealloc = i % 2});
    }
    no_starvation(NULL);
    no_starvation(&(ant_pool_options){.prealloc = true});
    return 0;
}

TEST(pool_fifo)
{
    return ant_run(run, NULL, NULL);
}
