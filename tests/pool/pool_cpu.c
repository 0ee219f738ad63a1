/* pool_cpu - nobody spins: the process uses little CPU time while submitters, goroutines and threads,
 * wait at a full pool, while a release waits for a task, and while the workers of many pools expire
 * again and again. */
#include <pthread.h>
#include <sys/resource.h>

#include <anthill.h>

#include "check.h"

enum { WAITERS = 50, POOLS = 100 };

#define TIME (600 * ANT_MILLISECOND)

static ant_pool *pool, *pools[POOLS];
static ant_waitgroup wg;

static void sleeps(void *arg)
{
    ant_sleep(TIME);
}

static void nothing(void *arg)
{
}

static void submit(void *arg)
{
    CHECK_INT(ant_pool_submit(pool, nothing, NULL), 0);
    ant_waitgroup_done(&wg);
}

static void *submit_in_thread(void *arg)
{
    submit(NULL);
    return NULL;
}

static double cpu_now(void)
{
    struct rusage used;

    CHECK_INT(getrusage(RUSAGE_SELF, &used), 0);
    return (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
           (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec) / 1e6;
}

/* The fifth of one CPU is a lot: who spins uses all of it. */
static void uses_little(const char *what, void (*fn)(void))
{
    double cpu = cpu_now(), start = test_now(), elapsed;

    fn();
    cpu = cpu_now() - cpu;
    elapsed = test_now() - start;
    CHECK(elapsed >= 0.5);
    if (cpu > elapsed / 5)
        FAIL("%s: %.3f s of CPU in %.3f s", what, cpu, elapsed);
}

static void submitters_wait(void)
{
    pthread_t thread;

    CHECK_INT(ant_pool_submit(pool, sleeps, NULL), 0);
    ant_waitgroup_add(&wg, WAITERS + 1);
    for (int i = 0; i < WAITERS; i++)
        CHECK_INT(ant_go(submit, NULL), 0);
    CHECK_INT(pthread_create(&thread, NULL, submit_in_thread, NULL), 0);
    ant_waitgroup_wait(&wg);
    CHECK_INT(pthread_join(thread, NULL), 0);
}

static void release_waits(void)
{
    CHECK_INT(ant_pool_submit(pool, sleeps, NULL), 0);
    CHECK_INT(ant_pool_release_timeout(pool, ANT_MINUTE), 0);
}

/* One task each 30 ms; half of the workers expire in between, the others are always about to. */
static void workers_expire(void)
{
    for (int round = 0; round < 20; round++) {
        for (int i = 0; i < POOLS; i++)
            CHECK_INT(ant_pool_submit(pools[i], nothing, NULL), 0);
        ant_sleep(TIME / 20);
    }
}

static int run(void *arg)
{
    CHECK_INT(ant_pool_new(&pool, 1, NULL), 0);
    uses_little("submitters at a full pool", submitters_wait);
    uses_little("a release that waits", release_waits);
    CHECK_INT(ant_pool_destroy(pool), 0);
    for (int i = 0; i < POOLS; i++) {
        ant_pool_options options = {.expiry = (i % 2 ? 5 : 40) * ANT_MILLISECOND};

        CHECK_INT(ant_pool_new(&pools[i], 2, &options), 0);
    }
    uses_little("pools whose workers expire", workers_expire);
    for (int i = 0; i < POOLS; i++)
        CHECK_INT(ant_pool_destroy(pools[i]), 0);
    return 0;
}

TEST(pool_cpu)
{
    return ant_run(run, NULL, NULL);
}
