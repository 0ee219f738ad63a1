/* pool_all_at_once - a free worker is found, whoever else looks for one. A multi pool has two pools
 * of n workers, and one of the two is full all the time. Round after round n tasks are submitted at
 * once, by goroutines and a thread, and each task waits until all n have begun. So each submitter must
 * get a worker of the other pool, also if its turn was the full one. Several such multi pools are at
 * work, so that goroutines and workers move among the Ps.
 *
 * Catches: a submitter that sleeps although a worker is idle. It looks at one shard after the other,
 * while another submitter moves idle workers to a shard that it has looked at. All others wait for
 * its task then, so nobody wakes it. In the chaos build ANT_CHAOS_MUTATION=MOVE_PAST_WAITING brings
 * the fault back. */
#include <pthread.h>
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"

enum {
    N = 3, /* workers of each pool, and tasks of a round */
    GROUPS = 8,
    GOERS = N - 1, /* submitters that are goroutines; the last is a thread */
    PATIENCE = 5,  /* seconds */
};

/* Opens each time that N more have passed. */
struct gate {
    ant_mutex lock;
    ant_cond cond;
    atomic_int passed;
};

struct group {
    ant_multi_pool *pool;
    struct gate may_submit, begun, ended;
    ant_waitgroup goers;
    pthread_t leader, submitter;
    atomic_bool over;
    int seen; /* of those that have begun, by check_progress */
    double seen_at;
};

static struct group groups[GROUPS];
static ant_waitgroup full; /* until the end of the test */
static double until;

static void pass(struct gate *g, int n)
{
    if ((atomic_fetch_add(&g->passed, n) + n) % N != 0)
        return;
    ant_mutex_lock(&g->lock);
    ant_cond_broadcast(&g->cond);
    ant_mutex_unlock(&g->lock);
}

static void await(struct gate *g, int rounds)
{
    if (atomic_load(&g->passed) >= rounds * N)
        return;
    ant_mutex_lock(&g->lock);
    while (atomic_load(&g->passed) < rounds * N)
        ant_cond_wait(&g->cond, &g->lock);
    ant_mutex_unlock(&g->lock);
}

static void task(void *arg)
{
    struct group *g = arg;
    int rounds = atomic_load(&g->ended.passed) / N;

    pass(&g->begun, 1);
    await(&g->begun, rounds + 1);
    pass(&g->ended, 1);
}

static void submit_rounds(struct group *g)
{
    for (int i = 1; await(&g->may_submit, i), !atomic_load(&g->over); i++)
        CHECK_INT(ant_multi_pool_submit(g->pool, task, g), 0);
}

static void goer(void *arg)
{
    struct group *g = arg;

    submit_rounds(g);
    ant_waitgroup_done(&g->goers);
}

static void *submitter(void *arg)
{
    submit_rounds(arg);
    return NULL;
}

/* It is a thread: those that it wakes come to whatever P is free, not to the one where the workers
 * have just become idle. */
static void *leader(void *arg)
{
    struct group *g = arg;
    int rounds = test_scale_least(1000, 20);

    for (int i = 1; i <= rounds || test_now() < until; i++) {
        pass(&g->may_submit, N);
        await(&g->ended, i);
    }
    atomic_store(&g->over, true);
    pass(&g->may_submit, N);
    return NULL;
}

static void nothing(void *arg)
{
}

static void stay(void *arg)
{
    ant_waitgroup_wait(&full);
}

/* Tasks go to the two pools one after the other. */
static void fill_second(ant_multi_pool *pool)
{
    int n;

    for (int i = 0; i < N; i++) {
        CHECK_INT(ant_multi_pool_submit(pool, nothing, NULL), 0);
        CHECK_INT(ant_multi_pool_submit(pool, stay, NULL), 0);
    }
    CHECK_INT(ant_multi_pool_free_by_index(pool, 1, &n), 0);
    CHECK_INT(n, 0);
}

static void start(struct group *g)
{
    const ant_pool_options options = {.disable_purge = true};

    CHECK_INT(ant_multi_pool_new(&g->pool, 2, N, ANT_ROUND_ROBIN, &options), 0);
    fill_second(g->pool);
    ant_waitgroup_add(&g->goers, GOERS);
    for (int i = 0; i < GOERS; i++)
        CHECK_INT(ant_go(goer, g), 0);
    CHECK_INT(pthread_create(&g->submitter, NULL, submitter, g), 0);
    CHECK_INT(pthread_create(&g->leader, NULL, leader, g), 0);
}

static void check_progress(struct group *g)
{
    int n = atomic_load(&g->begun.passed);
    ant_pool_stats s;

    if (n != g->seen) {
        g->seen = n;
        g->seen_at = test_now();
    }
    ant_multi_pool_stats_get(g->pool, &s);
    if (s.idle > 0 && s.waiting > 0 && test_now() > g->seen_at + PATIENCE)
        FAIL("%d of %d tasks have begun; of %d workers %d are idle, but %d submitters wait", n % N,
             N, s.running, s.idle, s.waiting);
}

static void finish(struct group *g)
{
    while (!atomic_load(&g->over)) {
        for (int i = 0; i < GROUPS; i++)
            check_progress(&groups[i]);
        usleep(20000);
    }
    CHECK_INT(pthread_join(g->leader, NULL), 0);
    CHECK_INT(pthread_join(g->submitter, NULL), 0);
    ant_waitgroup_wait(&g->goers);
}

TEST(pool_all_at_once)
{
    until = test_now() + torture_seconds(0);
    CHECK_INT(ant_start(NULL), 0);
    ant_waitgroup_add(&full, 1);
    for (int i = 0; i < GROUPS; i++)
        start(&groups[i]);
    for (int i = 0; i < GROUPS; i++)
        finish(&groups[i]);
    ant_waitgroup_done(&full);
    for (int i = 0; i < GROUPS; i++)
        CHECK_INT(ant_multi_pool_destroy(groups[i].pool), 0);
    CHECK_INT(ant_stop(), 0);
    return 0;
}
