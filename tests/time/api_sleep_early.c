/* api_sleep_early - no sleep is over early: in goroutines and in plain threads, while signals
 * interrupt the threads. */
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"

enum { GOROUTINES = 100, THREADS = 2 };

static ant_waitgroup wg;
static atomic_bool stop;

static void on_signal(int signal)
{
}

static void sleep_often(unsigned random, int times)
{
    for (int i = 0; i < times; i++) {
        ant_duration d;
        ant_time before;

        random = random * 1103515245 + 12345;
        d = (ant_duration)(random >> 10) % (i % 10 ? 300 * ANT_MICROSECOND : 3 * ANT_MILLISECOND);
        before = ant_now();
        ant_sleep(d);
        if (ant_now() - before < d)
            FAIL("a sleep of %lld ns took only %lld", (long long)d,
                 (long long)(ant_now() - before));
    }
}

static void goroutine(void *arg)
{
    sleep_often((unsigned)ant_id(), test_scale(300));
    ant_waitgroup_done(&wg);
}

static void *thread(void *arg)
{
    sleep_often((unsigned)(uintptr_t)&arg, test_scale(300));
    return NULL;
}

/* To the process: any thread may get it, those that sleep in the kernel too. */
static void *disturb(void *arg)
{
    pthread_t *threads = arg;

    while (!atomic_load(&stop)) {
        kill(getpid(), SIGUSR1);
        for (int i = 0; i < THREADS; i++)
            pthread_kill(threads[i], SIGUSR1);
        usleep(300);
    }
    return NULL;
}

static int run(void *arg)
{
    pthread_t threads[THREADS], disturber;

    for (int i = 0; i < THREADS; i++)
        CHECK_INT(pthread_create(&threads[i], NULL, thread, NULL), 0);
    CHECK_INT(pthread_create(&disturber, NULL, disturb, threads), 0);
    ant_waitgroup_add(&wg, GOROUTINES);
    for (int i = 0; i < GOROUTINES; i++)
        CHECK_INT(ant_go(goroutine, NULL), 0);
    ant_waitgroup_wait(&wg);
    atomic_store(&stop, true);
    CHECK_INT(pthread_join(disturber, NULL), 0);
    for (int i = 0; i < THREADS; i++)
        CHECK_INT(pthread_join(threads[i], NULL), 0);
    return 0;
}

TEST(api_sleep_early)
{
    CHECK(signal(SIGUSR1, on_signal) != SIG_ERR);
    CHECK_INT(ant_run(run, NULL, NULL), 0);
    return 0;
}
