/* sem_ctx_lost - one that waits is canceled at the very moment permits are given back: either it
 * has them or those behind it get them, and none is lost or made. Canceled by a goroutine or a
 * thread. */
#include <pthread.h>
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"

enum { CAPACITY = 4 };

static ant_sem sem = ANT_SEM(CAPACITY);
static ant_waitgroup wg;
static ant_ctx *ctx;
static _Atomic(ant_ctx *) to_cancel; /* by the thread */
static atomic_bool stop;

static void large(void *arg)
{
    int err = ant_sem_acquire_ctx(&sem, CAPACITY, ctx);

    if (err)
        CHECK_INT(err, ANT_ECANCELED);
    else
        ant_sem_release(&sem, CAPACITY);
    ant_waitgroup_done(&wg);
}

static void small(void *arg)
{
    CHECK_INT(ant_sem_acquire(&sem, 1), 0);
    ant_sem_release(&sem, 1);
    ant_waitgroup_done(&wg);
}

static void cancel(void *arg)
{
    ant_ctx_cancel(ctx);
    ant_waitgroup_done(&wg);
}

static void *canceler(void *arg)
{
    while (!atomic_load(&stop)) {
        ant_ctx *mine = atomic_exchange(&to_cancel, NULL);

        if (mine) {
            ant_ctx_cancel(mine);
            ant_waitgroup_done(&wg);
        }
        ant_yield();
    }
    return NULL;
}

static void play(int i)
{
    int released_before = i & 32 ? 1 : CAPACITY - 1; /* 1: the large one cannot have it at all */

    CHECK_INT(ant_ctx_with_cancel(&ctx, NULL), 0);
    CHECK_INT(ant_sem_acquire(&sem, CAPACITY - 1), 0);
    ant_waitgroup_add(&wg, 4);
    CHECK_INT(ant_go(i & 1 ? small : large, NULL), 0);
    if (i & 2)
        ant_yield();
    CHECK_INT(ant_go(i & 1 ? large : small, NULL), 0);
    if (i & 4)
        ant_yield();
    CHECK_INT(ant_go(small, NULL), 0);
    if (i & 8)
        CHECK_INT(ant_go(cancel, NULL), 0);
    else
        atomic_store(&to_cancel, ctx);
    if (i & 16)
        ant_yield();
    for (int k = 0; k < released_before; k++)
        ant_sem_release(&sem, 1);
    ant_waitgroup_wait(&wg);
    ant_sem_release(&sem, CAPACITY - 1 - released_before);
    CHECK_INT(ant_sem_try_acquire(&sem, CAPACITY), 0);
    ant_sem_release(&sem, CAPACITY);
    ant_ctx_unref(ctx);
}

static int run(void *arg)
{
    pthread_t t;

    CHECK_INT(pthread_create(&t, NULL, canceler, NULL), 0);
    for (int i = 0; i < test_scale(20000); i++)
        play(i);
    atomic_store(&stop, true);
    CHECK_INT(pthread_join(t, NULL), 0);
    return 0;
}

TEST(sem_ctx_lost)
{
    return ant_run(run, NULL, NULL);
}
