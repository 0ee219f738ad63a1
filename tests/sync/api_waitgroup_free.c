/* api_waitgroup_free - a group may go the moment a wait has returned: on the waiter's stack and on
 * the heap, filled with rubbish at once; done by goroutines and by a plain thread, waited for by
 * goroutines and by a plain thread. ASan sees what is touched after free, the rubbish shows the
 * rest. */
#include <pthread.h>
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"

static _Atomic(ant_waitgroup *) for_thread; /* what the helping thread is to do */
static atomic_bool stop;

static void done_by_goroutine(void *wg)
{
    ant_waitgroup_done(wg);
}

static void *helper(void *arg)
{
    while (!atomic_load(&stop)) {
        ant_waitgroup *wg = atomic_exchange(&for_thread, NULL);

        if (wg)
            ant_waitgroup_done(wg);
    }
    return NULL;
}

static void let_one_do(ant_waitgroup *wg, int i)
{
    ant_waitgroup *none = NULL;

    ant_waitgroup_add(wg, 1);
    if (i % 3 || !atomic_compare_exchange_strong(&for_thread, &none, wg))
        CHECK_INT(ant_go(done_by_goroutine, wg), 0);
}

static __attribute__((noinline)) void on_stack(int i)
{
    ant_waitgroup wg = {0};

    let_one_do(&wg, i);
    ant_waitgroup_wait(&wg);
    memset(&wg, 0x5a, sizeof wg);
    __asm__ volatile("" ::"r"(&wg) : "memory");
}

static __attribute__((noinline)) void on_heap(int i)
{
    ant_waitgroup *wg = calloc(1, sizeof *wg);

    CHECK(wg);
    let_one_do(wg, i);
    ant_waitgroup_wait(wg);
    memset(wg, 0x5a, sizeof *wg);
    __asm__ volatile("" ::"r"(wg) : "memory");
    free(wg);
}

static int run(void *arg)
{
    for (int i = 0; i < test_scale(20000); i++) {
        on_stack(i);
        on_heap(i);
    }
    return 0;
}

static ant_waitgroup all;

static void run_in_goroutine(void *arg)
{
    run(arg);
    ant_waitgroup_done(&all);
}

TEST(api_waitgroup_free)
{
    pthread_t t;

    CHECK_INT(ant_start(NULL), 0);
    CHECK_INT(pthread_create(&t, NULL, helper, NULL), 0);
    ant_waitgroup_add(&all, 2);
    CHECK_INT(ant_go(run_in_goroutine, NULL), 0);
    CHECK_INT(ant_go(run_in_goroutine, NULL), 0);
    ant_waitgroup_wait(&all);
    for (int i = 0; i < test_scale(20000); i++) /* and from this thread */
        i % 2 ? on_stack(i) : on_heap(i);
    atomic_store(&stop, true);
    CHECK_INT(pthread_join(t, NULL), 0);
    CHECK_INT(ant_stop(), 0);
    return 0;
}
