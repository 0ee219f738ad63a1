/* mutex_ctx_lost - one that waits is canceled at the very moment the mutex is unlocked: either
 * it has the mutex or another gets it, the wake-up is never lost. Canceled by a goroutine or a
 * thread. */
#include <pthread.h>
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"

static ant_mutex mutex;
static ant_waitgroup wg;
static ant_ctx *ctx;
static _Atomic(ant_ctx *) to_cancel; /* by the thread */
static atomic_bool stop;
static atomic_int gave_up;

static void lock_or_give_up(void *arg)
{
    int err = ant_mutex_lock_ctx(&mutex, ctx);

    if (err) {
        CHECK_INT(err, ANT_ECANCELED);
        atomic_fetch_add(&gave_up, 1);
    } else {
        ant_mutex_unlock(&mutex);
    }
    ant_waitgroup_done(&wg);
}

static void lock(void *arg)
{
    ant_mutex_lock(&mutex);
    ant_mutex_unlock(&mutex);
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
    CHECK_INT(ant_ctx_with_cancel(&ctx, NULL), 0);
    ant_mutex_lock(&mutex);
    ant_waitgroup_add(&wg, 3);
    CHECK_INT(ant_go(i & 1 ? lock_or_give_up : lock, NULL), 0);
    if (i & 2)
        ant_yield();
    CHECK_INT(ant_go(i & 1 ? lock : lock_or_give_up, NULL), 0);
    if (i & 4)
        ant_yield();
    if (i & 8)
        CHECK_INT(ant_go(cancel, NULL), 0);
    else
        atomic_store(&to_cancel, ctx);
    if (i & 16)
        ant_yield();
    ant_mutex_unlock(&mutex);
    ant_waitgroup_wait(&wg);
    CHECK(ant_mutex_try_lock(&mutex));
    ant_mutex_unlock(&mutex);
    ant_ctx_unref(ctx);
}

static int run(void *arg)
{
    int n = test_scale(20000);
    pthread_t t;

    CHECK_INT(pthread_create(&t, NULL, canceler, NULL), 0);
    for (int i = 0; i < n; i++)
        play(i);
    atomic_store(&stop, true);
    CHECK_INT(pthread_join(t, NULL), 0);
    if (n > 1000) /* both ways were seen */
        CHECK(atomic_load(&gave_up) > 0 && atomic_load(&gave_up) < n);
    return 0;
}

TEST(mutex_ctx_lost)
{
    return ant_run(run, NULL, NULL);
}
