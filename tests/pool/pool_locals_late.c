/* pool_locals_late - a task that ends by a panic or by ant_exit has its local values destroyed while it still
 * counts: when the pool is settled they are gone. A destructor that panics is told to the panic handler, as
 * after a task that returned.
 *
 * Catches: leaving them to the end of the worker's goroutine. */
#include <anthill.h>

#include "check.h"

enum way { RETURN, PANIC, EXIT, WAYS };

enum { ROUNDS = 50 };

static ant_local key;
static int destroyed, handled;
static bool destructor_panics;

static void destroy(void *value)
{
    *(int *)value += 1;
    if (destructor_panics)
        ant_panic("in the destructor");
}

static void handle(const ant_panic_info *info, void *arg)
{
    handled++;
}

static void task(void *arg)
{
    CHECK_INT(ant_local_set(key, &destroyed), 0);
    if (*(enum way *)arg == PANIC)
        ant_panic("in the task");
    if (*(enum way *)arg == EXIT)
        ant_exit();
}

static void check(enum way way, bool panics)
{
    const ant_pool_options options = {.panic_handler = handle};
    ant_pool *pool;

    destroyed = handled = 0;
    destructor_panics = panics;
    CHECK_INT(ant_pool_new(&pool, 2, &options), 0);
    CHECK_INT(ant_pool_submit(pool, task, &way), 0);
    CHECK_INT(ant_pool_destroy(pool), 0);
    CHECK_INT(destroyed, 1);
    CHECK_INT(handled, panics + (way == PANIC));
}

static int run(void *arg)
{
    CHECK_INT(ant_local_new(&key, destroy), 0);
    for (int i = 0; i < test_scale(ROUNDS); i++) {
        for (enum way way = RETURN; way < WAYS; way++) {
            check(way, false);
            check(way, true);
        }
    }
    return ant_local_free(key);
}

TEST(pool_locals_late)
{
    CHECK_INT(ant_run(run, NULL, NULL), 0);
    return 0;
}
