/* preempt_pool - tasks of a pool may be interrupted by option: more tasks that compute than may run
 * beside the Ps let others run. Its handler of panics is not interrupted. */
#include <stdatomic.h>

#include <anthill.h>

#include "preempt.h"

enum { TURNS = 20 };

static _Atomic int turns, handled;
static _Atomic bool released;

static void task(void *arg)
{
    for (int i = (int)(intptr_t)arg; !atomic_load(&released); i++)
        compute_once(i);
    if ((intptr_t)arg % 2)
        ant_panic("on purpose");
}

static void handler(const ant_panic_info *info, void *arg)
{
    CHECK_INT(ant__m()->g->flags & ANT__G_PREEMPT, 0);
    atomic_fetch_add(&handled, 1);
}

static void worker(void *arg)
{
    for (int i = 0; i < TURNS; i++) {
        atomic_fetch_add(&turns, 1);
        ant_yield();
    }
}

static int run(void *arg)
{
    const ant_pool_options options = {.preempt = ANT_PREEMPT_SIGNAL, .panic_handler = handler};
    int tasks = 2 * ant_procs() + 2;
    ant_pool *pool;

    if (!can_preempt())
        return 0;
    CHECK_INT(ant_pool_new(&pool, tasks, &options), 0);
    for (int i = 0; i < tasks; i++)
        CHECK_INT(ant_pool_submit(pool, task, (void *)(intptr_t)i), 0);
    ant_go(worker, NULL);
    while (atomic_load(&turns) < TURNS || preempted() < 50)
        ant_sleep(ANT_MILLISECOND);
    atomic_store(&released, true);
    CHECK_INT(ant_pool_wait(pool), 0);
    CHECK_INT(atomic_load(&handled), tasks / 2);
    CHECK_INT(ant_pool_destroy(pool), 0);
    return 0;
}

TEST(preempt_pool)
{
    ant__slice = 200 * ANT_MICROSECOND;
    compute_expected();
    CHECK_INT(ant_run(run, NULL, &(ant_config){.max_hogs = 1}), 0);
    return 0;
}
