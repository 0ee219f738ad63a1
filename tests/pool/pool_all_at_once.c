/* pool_all_at_once - a pool of n workers runs n tasks at a time: here each task waits until n of them
 * have begun. Then n goroutines submit the next n, each after a moment, and one of them lets the first
 * n end.
 *
 * Catches: a submitter that sleeps although a worker is idle. It looks at one shard after the other,
 * while another submitter moves idle workers to a shard that it has looked at. All others wait for
 * its task then, so nobody wakes it. In the chaos build ANT_CHAOS_MUTATION=MOVE_PAST_WAITING brings
 * the fault back. */
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"

enum { WORKERS = 6, ROUNDS = 200, PATIENCE = 10 /* seconds */ };

static ant_pool *pool;
static ant_mutex lock;
static ant_cond may_end;
static atomic_int begun;  /* tasks, of all rounds */
static atomic_int ending; /* rounds whose tasks may end */
static int first_round;
static ant_waitgroup submitting;

static void task(void *arg)
{
    int round = atomic_fetch_add(&begun, 1) / WORKERS;

    ant_mutex_lock(&lock);
    while (atomic_load(&ending) <= round)
        ant_cond_wait(&may_end, &lock);
    ant_mutex_unlock(&lock);
}

static void let_end(int rounds)
{
    ant_mutex_lock(&lock);
    atomic_store(&ending, rounds);
    ant_cond_broadcast(&may_end);
    ant_mutex_unlock(&lock);
}

static void linger(unsigned n)
{
    for (volatile unsigned i = 0; i < n; i++)
        continue;
}

/* They yield while they wait, so that each P gets one. One of them lets the tasks of the round before
 * end. */
static void submit(void *arg)
{
    unsigned self = (unsigned)(intptr_t)arg, seed = self + 1;

    for (unsigned i = (unsigned)first_round; i < (unsigned)first_round + ROUNDS; i++) {
        while (atomic_load(&begun) < (int)i * WORKERS)
            ant_yield();
        seed = seed * 1664525 + 1013904223;
        if (self == i % WORKERS)
            let_end((int)i);
        else
            linger(seed >> 16 & 0xfff);
        CHECK_INT(ant_pool_submit(pool, task, NULL), 0);
    }
    ant_waitgroup_done(&submitting);
}

static void check_progress(int *last)
{
    ant_pool_stats s;

    ant_pool_stats_get(pool, &s);
    if (atomic_load(&begun) == *last)
        FAIL("%d tasks of a round have begun; %d workers of which %d are idle; %d submitters wait",
             *last % WORKERS, s.running, s.idle, s.waiting);
    *last = atomic_load(&begun);
}

static void some_rounds(void)
{
    int last = -1, err;

    ant_waitgroup_add(&submitting, WORKERS);
    for (intptr_t i = 0; i < WORKERS; i++)
        CHECK_INT(ant_go(submit, (void *)i), 0);
    do {
        ant_ctx *ctx;

        CHECK_INT(ant_ctx_with_timeout(&ctx, NULL, PATIENCE * ANT_SECOND), 0);
        err = ant_waitgroup_wait_ctx(&submitting, ctx);
        ant_ctx_unref(ctx);
        if (err)
            check_progress(&last);
    } while (err);
    first_round += ROUNDS;
}

TEST(pool_all_at_once)
{
    double until = test_now() + torture_seconds(0);

    CHECK_INT(ant_start(NULL), 0);
    CHECK_INT(ant_pool_new(&pool, WORKERS, NULL), 0);
    for (int i = 0; i < test_scale_least(10, 1) || test_now() < until; i++)
        some_rounds();
    let_end(first_round);
    CHECK_INT(ant_pool_destroy(pool), 0);
    CHECK_INT(ant_stop(), 0);
    return 0;
}
