/* api_lock_thread_exit - a goroutine that ends while tied takes its thread with it: what it did to
 * the thread is not seen by any other goroutine, and the thread is gone. */
#include <pthread.h>
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"

static pthread_key_t on_exit_key;
static atomic_int threads_ended;
static __thread int spoilt;
static ant_waitgroup wg;

static __attribute__((noinline)) int *spoilt_here(void)
{
    __asm__ volatile("" ::: "memory");
    return &spoilt;
}

static void thread_ends(void *arg)
{
    atomic_fetch_add(&threads_ended, 1);
}

static void spoil(void *arg)
{
    CHECK_INT(*spoilt_here(), 0);
    CHECK_INT(ant_lock_thread(), 0);
    *spoilt_here() = 1;
    CHECK_INT(pthread_setspecific(on_exit_key, &spoilt), 0);
    if (arg)
        ant_yield();
    ant_waitgroup_done(&wg);
    if (arg)
        ant_exit();
}

static void look(void *arg)
{
    CHECK_INT(*spoilt_here(), 0);
    ant_yield();
    CHECK_INT(*spoilt_here(), 0);
    ant_waitgroup_done(&wg);
}

static int run(void *arg)
{
    int n = test_scale(200);

    for (int i = 0; i < n; i++) {
        ant_waitgroup_add(&wg, 4);
        CHECK_INT(ant_go(look, NULL), 0);
        CHECK_INT(ant_go(spoil, i % 2 ? &wg : NULL), 0);
        CHECK_INT(ant_go(look, NULL), 0);
        CHECK_INT(ant_go(look, NULL), 0);
        ant_waitgroup_wait(&wg);
        CHECK_INT(*spoilt_here(), 0);
    }
    while (atomic_load(&threads_ended) < n)
        ant_sleep(ANT_MILLISECOND);
    CHECK_INT(atomic_load(&threads_ended), n);
    return 0;
}

TEST(api_lock_thread_exit)
{
    struct test_resources before;

    CHECK_INT(pthread_key_create(&on_exit_key, thread_ends), 0);
    CHECK_INT(ant_run(run, NULL, NULL), 0); /* warm up */
    atomic_store(&threads_ended, 0);
    before = test_resources_now();
    CHECK_INT(ant_run(run, NULL, NULL), 0);
    /* libc keeps stacks of threads: more, if more of them ended at once than in the first round. */
    test_resources_check(&before, 50);
    return 0;
}
