/* api_waitgroup_mix - goroutines and plain threads wait for one group, and goroutines and plain
 * threads bring it to zero; every waiter returns, none early, over and over. */
#include <pthread.h>
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"

enum { WAITERS = 6, DONERS = 6, THREADS = WAITERS / 2 + DONERS / 2 };

static struct round {
    ant_waitgroup group, returned;
    atomic_int left;
} rounds[20];

enum { ROUNDS = sizeof rounds / sizeof rounds[0] };

static void wait_for_all(void)
{
    for (int i = 0; i < ROUNDS; i++) {
        ant_waitgroup_wait(&rounds[i].group);
        CHECK_INT(atomic_load(&rounds[i].left), 0);
        ant_waitgroup_done(&rounds[i].returned);
    }
}

/* A round is brought to zero only by the last of its doners. */
static void do_all(void)
{
    for (int i = 0; i < ROUNDS; i++) {
        atomic_fetch_sub(&rounds[i].left, 1);
        ant_waitgroup_done(&rounds[i].group);
        if (i % 3 == 0)
            ant_yield();
        if (i % 5 == 0)
            ant_sleep(20 * ANT_MICROSECOND);
    }
}

static void waiter(void *arg)
{
    wait_for_all();
}

static void doner(void *arg)
{
    do_all();
}

static void *waiter_thread(void *arg)
{
    wait_for_all();
    return NULL;
}

static void *doner_thread(void *arg)
{
    do_all();
    return NULL;
}

static void play(void)
{
    pthread_t threads[THREADS];

    for (int i = 0; i < ROUNDS; i++) {
        atomic_store(&rounds[i].left, DONERS);
        ant_waitgroup_add(&rounds[i].group, DONERS);
        ant_waitgroup_add(&rounds[i].returned, WAITERS);
    }
    for (int i = 0; i < WAITERS / 2; i++) {
        CHECK_INT(ant_go(waiter, NULL), 0);
        CHECK_INT(pthread_create(&threads[i], NULL, waiter_thread, NULL), 0);
    }
    for (int i = 0; i < DONERS / 2; i++) {
        CHECK_INT(ant_go(doner, NULL), 0);
        CHECK_INT(pthread_create(&threads[WAITERS / 2 + i], NULL, doner_thread, NULL), 0);
    }
    for (int i = 0; i < ROUNDS; i++)
        ant_waitgroup_wait(&rounds[i].returned);
    for (int i = 0; i < THREADS; i++)
        CHECK_INT(pthread_join(threads[i], NULL), 0);
}

static int run(void *arg)
{
    for (int i = 0; i < test_scale(50); i++)
        play();
    return 0;
}

TEST(api_waitgroup_mix)
{
    CHECK_INT(ant_run(run, NULL, NULL), 0);
    CHECK_INT(ant_start(NULL), 0);
    run(NULL);
    CHECK_INT(ant_stop(), 0);
    return 0;
}
