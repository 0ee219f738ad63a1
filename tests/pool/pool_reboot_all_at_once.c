/* pool_reboot_all_at_once - a pool that is opened again with a least number of workers gives them to
 * whoever submits meanwhile. Two tasks are left of the pool's last life. As it is opened, one of them
 * returns, and a third is submitted, for which the second waits. There may be two workers, so the third
 * must get one.
 *
 * Catches: a submitter that has looked for a worker in vain and sleeps, while whoever opened the pool
 * adds an idle one behind its back. (The model of the line finds it: WARM_UP_BLIND.) */
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"

enum { WORKERS = 2, GROUPS = 8, PATIENCE = 5 /* seconds */ };

struct group {
    ant_pool *pool;
    ant_waitgroup third, submitted;
    atomic_bool first_may_end;
    atomic_int round; /* from 1 on */
};

static struct group groups[GROUPS];
static ant_waitgroup all;
static atomic_int over;
static double until;

static void first(void *arg)
{
    struct group *g = arg;

    while (!atomic_load(&g->first_may_end))
        ant_yield();
}

static void second(void *arg)
{
    struct group *g = arg;

    ant_waitgroup_wait(&g->third);
}

static void third(void *arg)
{
    struct group *g = arg;

    ant_waitgroup_done(&g->third);
}

static void submit_third(void *arg)
{
    struct group *g = arg;
    int err;

    while ((err = ant_pool_submit(g->pool, third, g)) == ANT_ECLOSED)
        ant_yield();
    CHECK_INT(err, 0);
    ant_waitgroup_done(&g->submitted);
}

static void play(struct group *g, int yields)
{
    ant_waitgroup_add(&g->third, 1);
    ant_waitgroup_add(&g->submitted, 1);
    atomic_store(&g->first_may_end, false);
    CHECK_INT(ant_pool_submit(g->pool, first, g), 0);
    CHECK_INT(ant_pool_submit(g->pool, second, g), 0);
    CHECK_INT(ant_pool_release(g->pool), 0);
    CHECK_INT(ant_go(submit_third, g), 0);
    atomic_store(&g->first_may_end, true);
    for (int i = 0; i < yields; i++)
        ant_yield();
    CHECK_INT(ant_pool_reboot(g->pool), 0);
    ant_waitgroup_wait(&g->submitted);
    CHECK_INT(ant_pool_wait(g->pool), 0);
    atomic_fetch_add(&g->round, 1);
}

static void play_all(void *arg)
{
    struct group *g = arg;
    int rounds = test_scale_least(2000, 50);

    for (int i = 0; i < rounds || test_now() < until; i++)
        play(g, i % 3);
    atomic_fetch_add(&over, 1);
    ant_waitgroup_done(&all);
}

static void check_progress(const struct group *g, int *seen, double *seen_at)
{
    int round = atomic_load(&g->round);
    ant_pool_stats s;

    if (round != *seen) {
        *seen = round;
        *seen_at = test_now();
    }
    ant_pool_stats_get(g->pool, &s);
    if (s.idle > 0 && s.waiting > 0 && test_now() > *seen_at + PATIENCE)
        FAIL("of %d workers %d are idle, but %d submitters wait", s.running, s.idle, s.waiting);
}

static int run(void *arg)
{
    const ant_pool_options options = {.min_workers = WORKERS};
    double seen_at[GROUPS] = {0};
    int seen[GROUPS] = {0};

    ant_waitgroup_add(&all, GROUPS);
    for (int i = 0; i < GROUPS; i++) {
        CHECK_INT(ant_pool_new(&groups[i].pool, WORKERS, &options), 0);
        seen[i] = -1;
    }
    for (int i = 0; i < GROUPS; i++)
        CHECK_INT(ant_go(play_all, &groups[i]), 0);
    while (atomic_load(&over) < GROUPS) {
        for (int i = 0; i < GROUPS; i++)
            check_progress(&groups[i], &seen[i], &seen_at[i]);
        ant_sleep(10 * ANT_MILLISECOND);
    }
    ant_waitgroup_wait(&all);
    for (int i = 0; i < GROUPS; i++)
        CHECK_INT(ant_pool_destroy(groups[i].pool), 0);
    return 0;
}

TEST(pool_reboot_all_at_once)
{
    until = test_now() + torture_seconds(0);
    return ant_run(run, NULL, NULL);
}
