/* preempt_calls - goroutines may be interrupted while they call into the runtime: none takes
 * another one's thread, number, locals, deferred calls or section for its own. */
#include <errno.h>
#include <stdatomic.h>

#include <anthill.h>

#include "preempt.h"

enum { CALLERS = 6 };

static _Atomic int at_work;
static _Atomic bool released;
static ant_waitgroup wg;
static ant_mutex mutex;
static ant_local key;
static int shared; /* by the mutex */

static void count_up(void *arg)
{
    ++*(int *)arg;
}

static void panics(void *arg)
{
    ant_defer_node node;

    ant_defer(&node, count_up, arg);
    ant_panic("on purpose");
}

static void know_oneself(uint64_t id)
{
    for (int i = 0, n = test_is_slow() ? 1000 : 200000; i < n; i++) {
        CHECK(ant_id() == id);
        CHECK(ant_local_get(key) == (void *)(uintptr_t)id);
    }
}

static void mark_sections(void)
{
    for (int i = 0, n = test_scale_least(500, 10); i < n; i++) {
        ant_blocking_begin();
        ant_blocking_end();
    }
}

static void defer_and_try(int i)
{
    ant_defer_node node;
    int count = 0;

    ant_defer(&node, count_up, &count);
    ant_defer_end(&node);
    if (i % 16 == 0)
        CHECK_INT(ant_try(panics, &count, NULL), ANT_EPANIC);
    CHECK_INT(count, i % 16 == 0 ? 2 : 1);
}

static void take_turns(void)
{
    int before;

    ant_mutex_lock(&mutex);
    before = ++shared;
    for (int i = 0; i < 20; i++)
        CHECK(ant_count() > 0);
    CHECK_INT(shared, before);
    ant_mutex_unlock(&mutex);
}

static void caller(void *arg)
{
    uint64_t id = ant_id();

    CHECK_INT(ant_local_set(key, (void *)(uintptr_t)id), 0);
    for (int i = 0; !atomic_load(&released); i++) {
        know_oneself(id);
        mark_sections();
        defer_and_try(i);
        /* Rarely: while all but one wait for the mutex, nobody waits for a P, and none is taken. */
        if (i % 16 == 0)
            take_turns();
        if (i == 1)
            atomic_fetch_add(&at_work, 1);
    }
    ant_waitgroup_done(&wg);
}

static int run(void *arg)
{
    const ant_go_options options = {.preempt = ANT_PREEMPT_SIGNAL};
    uint64_t enough = (uint64_t)test_scale(100);
    int callers = CALLERS + ant_procs();

    if (!can_preempt())
        return 0;
    CHECK_INT(ant_local_new(&key, NULL), 0);
    ant_waitgroup_add(&wg, callers);
    for (int i = 0; i < callers; i++)
        CHECK_INT(ant_go_opts(&options, caller, NULL), 0);
    while (atomic_load(&at_work) < callers || preempted() < enough)
        ant_sleep(ANT_MILLISECOND);
    atomic_store(&released, true);
    ant_waitgroup_wait(&wg);
    return 0;
}

TEST(preempt_calls)
{
    ant__slice = 20 * ANT_MICROSECOND;
    CHECK_INT(ant_run(run, NULL, NULL), 0);
    return 0;
}
