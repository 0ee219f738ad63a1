/* go_lock_os_thread_exit.c - when a goroutine ends tied to its thread, by return or by ant_exit,
 * the thread ends with it, and no other goroutine ever runs there.
 *
 * Catches: the thread, and what the goroutine did to it, goes back to the scheduler; its P is lost
 * with it.
 */
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"

static __thread bool spoilt;
static pthread_key_t key;
static _Atomic int threads_ended;

/* Not inlined: the thread may have changed since the last look. */
__attribute__((noinline)) static bool *spoilt_here(void)
{
    __asm__ volatile("");
    return &spoilt;
}

static void on_thread_end(void *value)
{
    atomic_fetch_add(&threads_ended, 1);
}

static void spoil(void *arg)
{
    CHECK_INT(ant_lock_thread(), 0);
    CHECK(!*spoilt_here());
    *spoilt_here() = true;
    CHECK_INT(pthread_setspecific(key, &key), 0);
    ant_yield();
    CHECK(*spoilt_here());
    if (arg)
        ant_exit();
}

static void look(void *wg)
{
    CHECK(!*spoilt_here());
    ant_yield();
    CHECK(!*spoilt_here());
    ant_waitgroup_done(wg);
}

static int run(void *arg)
{
    int rounds = test_scale(20);
    ant_waitgroup looked = {0};

    for (int i = 0; i < rounds; i++) {
        CHECK_INT(ant_go(spoil, i % 2 ? &key : NULL), 0);
        ant_waitgroup_add(&looked, 10);
        for (int n = 0; n < 10; n++)
            CHECK_INT(ant_go(look, &looked), 0);
        ant_waitgroup_wait(&looked);
    }
    while (atomic_load(&threads_ended) < rounds) {
        CHECK(!*spoilt_here());
        ant_sleep(ANT_MILLISECOND);
    }
    return 0;
}

static int warm_up(void *arg)
{
    return 0;
}

TEST(go_lock_os_thread_exit)
{
    struct test_resources before;

    CHECK_INT(pthread_key_create(&key, on_thread_end), 0);
    CHECK_INT(ant_run(warm_up, NULL, NULL), 0);
    before = test_resources_now();
    CHECK_INT(ant_run(run, NULL, NULL), 0);
    test_resources_check(&before, INT_MAX / 2); /* libc keeps stacks of threads */
    return 0;
}
