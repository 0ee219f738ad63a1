/* pool_tune_race - a submitter that begins to wait at the very moment when the limit is raised, or
 * the pool released: it gets a worker, or ANT_ECLOSED, and is not forgotten. The only worker is
 * busy all the time and nothing is purged, so nobody would come along later to wake it. In a
 * thread and in a goroutine, of a pool and of a multi pool. */
#include <pthread.h>
#include <stdatomic.h>

#include "pool_kinds.h"

enum { STAY, PASS, MOST_PAUSES = 400 };

static const struct pool_kind *kind;
static void *pool;
static ant_waitgroup gate;
static atomic_int turn, returned, passed; /* turn: of the submitter; -1: it ends */
static int expected;                      /* of its submit */

static void task(int i)
{
    if (i == STAY)
        ant_waitgroup_wait(&gate);
    else
        atomic_fetch_add(&passed, 1);
}

/* Both sides do so before their call, for other times in each round. */
static void pause_some(int round, int step)
{
    for (volatile int i = 0; i < round * step % MOST_PAUSES; i++)
        ;
}

static void submit_in_turn(void *arg)
{
    for (int round = 1;; round++) {
        while (atomic_load(&turn) == round - 1)
            ant_yield();
        if (atomic_load(&turn) < 0)
            break;
        pause_some(round, 7);
        CHECK_INT(kind->submit(pool, PASS, round % 2 ? PLAIN : WITH_CTX, NULL), expected);
        atomic_store(&returned, round);
    }
    atomic_store(&returned, -1);
}

static void *thread_main(void *arg)
{
    submit_in_turn(NULL);
    return NULL;
}

static void await_return(int round)
{
    while (atomic_load(&returned) != round)
        ant_yield();
}

static void tune_round(int round)
{
    CHECK_INT(kind->tune(pool, 2), 0);
    await_return(round);
    while (atomic_load(&passed) < round)
        ant_yield();
    CHECK_INT(kind->tune(pool, 1), 0); /* the second worker goes, now or when it is back */
    while (kind->running(pool) > kind->pools)
        ant_yield();
}

static void release_round(int round)
{
    CHECK_INT(kind->release(pool), 0);
    await_return(round);
    CHECK_INT(kind->waiting(pool), 0);
    CHECK_INT(kind->reboot(pool), 0);
}

/* Returns how many: on a busy machine, where each side waits for its turn to run, fewer than n. */
static int rounds(int n, void (*one)(int round))
{
    double until = test_now() + 0.5;
    int round;

    for (round = 1; round <= n && test_now() < until; round++) {
        atomic_store(&turn, round);
        pause_some(round, 11);
        one(round);
    }
    atomic_store(&turn, -1);
    await_return(-1);
    return round - 1;
}

static void play(int n, bool in_thread, void (*one)(int round))
{
    const ant_pool_options options = {.disable_purge = true};
    pthread_t thread;

    expected = one == release_round ? ANT_ECLOSED : 0;
    atomic_store(&turn, 0);
    atomic_store(&returned, 0);
    atomic_store(&passed, 0);
    ant_waitgroup_add(&gate, 1);
    CHECK_INT(kind->make(&pool, 1, &options), 0);
    for (int i = 0; i < kind->pools; i++)
        CHECK_INT(kind->submit(pool, STAY, PLAIN, NULL), 0);
    if (in_thread)
        CHECK_INT(pthread_create(&thread, NULL, thread_main, NULL), 0);
    else
        CHECK_INT(ant_go(submit_in_turn, NULL), 0);
    n = rounds(n, one);
    if (in_thread)
        CHECK_INT(pthread_join(thread, NULL), 0);
    ant_waitgroup_done(&gate);
    CHECK_INT(kind->destroy(pool), 0);
    CHECK_INT(atomic_load(&passed), expected ? 0 : n);
}

static int run(void *arg)
{
    int n = test_scale(2500);

    for (int k = 0; k < KINDS; k += KINDS / 2) {
        kind = &pool_kinds[k];
        play(n, true, tune_round);
        play(n, true, release_round);
        play(n, false, tune_round);
        play(n, false, release_round);
    }
    return 0;
}

TEST(pool_tune_race)
{
    return ant_run(run, NULL, NULL);
}
