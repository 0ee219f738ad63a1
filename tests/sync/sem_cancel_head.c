/* sem_cancel_head - TestAllocCancelDoesntStarve: when a large request at the head of the queue
 * gives up, the smaller ones behind it get what is there, at once, up to the next that does not
 * fit. */
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"

enum { CAPACITY = 10, SMALL = 3 };

static ant_sem sem = ANT_SEM(CAPACITY);
static ant_waitgroup wg;
static ant_ctx *ctx;
static atomic_int begun, got;

static void large(void *arg)
{
    CHECK_INT(ant_sem_acquire_ctx(&sem, CAPACITY, ctx), ANT_ECANCELED);
    ant_waitgroup_done(&wg);
}

static void small(void *arg)
{
    atomic_fetch_add(&begun, 1);
    CHECK_INT(ant_sem_acquire(&sem, 1), 0);
    atomic_fetch_add(&got, 1);
    ant_waitgroup_done(&wg);
}

static void let_others_run(void)
{
    for (int i = 0; i < 20; i++)
        ant_yield();
}

static void await(atomic_int *counter, int n)
{
    while (atomic_load(counter) < n)
        ant_yield();
    let_others_run();
    CHECK_INT(atomic_load(counter), n);
}

/* There are SMALL - 1 permits left. */
static void play(bool late)
{
    atomic_store(&begun, 0);
    atomic_store(&got, 0);
    CHECK_INT(late ? ant_ctx_with_timeout(&ctx, NULL, ANT_HOUR) : ant_ctx_with_cancel(&ctx, NULL),
              0);
    CHECK_INT(ant_sem_acquire(&sem, CAPACITY - SMALL + 1), 0);
    ant_waitgroup_add(&wg, 1 + SMALL);
    CHECK_INT(ant_go(large, NULL), 0);
    while (ant_sem_try_acquire(&sem, 1) == 0) {
        ant_sem_release(&sem, 1);
        ant_yield();
    }
    for (int i = 0; i < SMALL; i++)
        CHECK_INT(ant_go(small, NULL), 0);
    await(&begun, SMALL);
    CHECK_INT(atomic_load(&got), 0);
    ant_ctx_cancel(ctx);
    await(&got, SMALL - 1);
    ant_sem_release(&sem, CAPACITY - SMALL + 1);
    ant_waitgroup_wait(&wg);
    ant_sem_release(&sem, SMALL);
    CHECK_INT(ant_sem_try_acquire(&sem, CAPACITY), 0);
    ant_sem_release(&sem, CAPACITY);
    ant_ctx_unref(ctx);
}

static int run(void *arg)
{
    for (int i = 0; i < test_scale(1000); i++)
        play(i % 2);
    return 0;
}

TEST(sem_cancel_head)
{
    return ant_run(run, NULL, NULL);
}
