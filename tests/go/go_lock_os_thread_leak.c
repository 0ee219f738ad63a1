/* go_lock_os_thread_leak.c - a thread that ended with its goroutine leaves nothing behind while the
 * runtime goes on: neither thread nor stack.
 *
 * Catches: ended threads are not joined; a signal stack or a thread's stack stays mapped.
 */
#include <pthread.h>
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"

static pthread_key_t key;
static _Atomic int threads_ended;

static void on_thread_end(void *value)
{
    atomic_fetch_add(&threads_ended, 1);
}

static void end_tied(void *arg)
{
    CHECK_INT(ant_lock_thread(), 0);
    CHECK_INT(pthread_setspecific(key, &key), 0);
}

static void end_threads(int n)
{
    atomic_store(&threads_ended, 0);
    for (int i = 1; i <= n; i++) {
        CHECK_INT(ant_go(end_tied, NULL), 0);
        while (atomic_load(&threads_ended) < i)
            ant_yield();
    }
}

static int run(void *arg)
{
    struct test_resources before;

    end_threads(test_scale(20));
    before = test_resources_now();
    end_threads(test_scale_least(100, 2 * (ant_procs() + 2)));
    /* Ms of the idle Ps may be made at any time; a leak would be one for each ended thread. */
    before.threads += ant_procs() + 2;
    test_resources_check(&before, 5 * (ant_procs() + 2));
    return 0;
}

TEST(go_lock_os_thread_leak)
{
    CHECK_INT(pthread_key_create(&key, on_thread_end), 0);
    return ant_run(run, NULL, NULL);
}
