/* pool_clean_task - a task begins as in a goroutine of its own, whatever the task before it has left
 * behind in the same goroutine: locals, whose destroy functions have been called by then, a rounding
 * mode of its own, a thread of its own. So it is if that task returned, panicked or called ant_exit,
 * and if a destroy function panics.
 *
 * Catches: a worker that goes on with the next task as the last one has left it. */
#include <fenv.h>
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"

enum { TASKS = 100 };

enum way { RETURN, PANIC, EXIT, PANIC_IN_DESTROY, WAYS };

static ant_local key;
static atomic_int destroyed, clean, handled;

static void destroy(void *value)
{
    atomic_fetch_add(&destroyed, 1);
    if ((enum way)((uintptr_t)value - 1) == PANIC_IN_DESTROY)
        ant_panic("in destroy");
}

static void soil(void *arg)
{
    enum way way = (enum way)(intptr_t)arg;

    CHECK_INT(ant_local_set(key, (void *)((uintptr_t)way + 1)), 0);
    CHECK_INT(ant_own_fenv(true), 0);
    CHECK_INT(fesetround(FE_UPWARD), 0);
    CHECK_INT(ant_lock_thread(), 0);
    CHECK_INT(ant_lock_thread(), 0);
    if (way == PANIC)
        ant_panic("on purpose");
    if (way == EXIT)
        ant_exit();
}

static void look(void *arg)
{
    CHECK(ant_local_get(key) == NULL);
    CHECK_INT(fegetround(), FE_TONEAREST);
    CHECK_INT(ant_unlock_thread(), -EPERM);
    atomic_fetch_add(&clean, 1);
}

static void handle(const ant_panic_info *info, void *arg)
{
    atomic_fetch_add(&handled, 1);
}

/* One worker, and a queue: so the tasks run one after the other, in one goroutine if they return. */
static void play(enum way way)
{
    const ant_pool_options options = {.queue = 2 * TASKS, .panic_handler = handle};
    bool panics = way == PANIC || way == PANIC_IN_DESTROY;
    ant_pool *pool;

    atomic_store(&destroyed, 0);
    atomic_store(&clean, 0);
    atomic_store(&handled, 0);
    CHECK_INT(ant_pool_new(&pool, 1, &options), 0);
    for (int i = 0; i < TASKS; i++) {
        CHECK_INT(ant_pool_submit(pool, soil, (void *)(intptr_t)way), 0);
        CHECK_INT(ant_pool_submit(pool, look, NULL), 0);
    }
    CHECK_INT(ant_pool_destroy(pool), 0);
    CHECK_INT(atomic_load(&clean), TASKS);
    CHECK_INT(atomic_load(&handled), panics ? TASKS : 0);
    while (atomic_load(&destroyed) < TASKS) /* at the end of a goroutine: after the task's */
        ant_yield();
}

static int run(void *arg)
{
    CHECK_INT(ant_local_new(&key, destroy), 0);
    for (enum way way = RETURN; way < WAYS; way++)
        play(way);
    CHECK_INT(ant_local_free(key), 0);
    return 0;
}

TEST(pool_clean_task)
{
    return ant_run(run, NULL, NULL);
}
