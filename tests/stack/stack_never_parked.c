/* stack_never_parked - a million goroutines that never park need a handful of stacks for each P,
 * whoever makes them: another goroutine, a plain thread, or each the next. */
#include <pthread.h>
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"

static ant_waitgroup wg;
static atomic_int ran;

static void goroutine(void *arg)
{
    atomic_fetch_add_explicit(&ran, 1, memory_order_relaxed);
    ant_waitgroup_done(&wg);
}

static void make(int n)
{
    for (int i = 0; i < n; i++)
        CHECK_INT(ant_go(goroutine, NULL), 0);
}

static void *make_in_thread(void *arg)
{
    make(*(int *)arg);
    return NULL;
}

static void make_next(void *arg)
{
    int left = (int)(intptr_t)arg;

    if (left > 0)
        CHECK_INT(ant_go(make_next, (void *)(intptr_t)(left - 1)), 0);
    goroutine(NULL);
}

static int run(void *arg)
{
    int n = test_scale(TEST_SANITIZED ? 80000 : 333333);
    ant_stats stats;
    pthread_t t;

    ant_waitgroup_add(&wg, 3 * n);
    make(n);
    CHECK_INT(pthread_create(&t, NULL, make_in_thread, &n), 0);
    CHECK_INT(ant_go(make_next, (void *)(intptr_t)(n - 1)), 0);
    CHECK_INT(pthread_join(t, NULL), 0);
    ant_waitgroup_wait(&wg);
    CHECK_INT(atomic_load(&ran), 3 * n);
    CHECK_INT(ant_stats_get(&stats), 0);
    /* A thread that loses its CPU in user code loses its P too, and keeps a stack meanwhile. */
    if (stats.stacks > 4 * (uint64_t)ant_procs() + 4 + (uint64_t)stats.threads)
        FAIL("%llu stacks for %d Ps", (unsigned long long)stats.stacks, ant_procs());
    return 0;
}

TEST(stack_never_parked)
{
    CHECK_INT(ant_run(run, NULL, NULL), 0);
    return 0;
}
