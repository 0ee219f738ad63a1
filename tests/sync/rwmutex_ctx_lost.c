/* rwmutex_ctx_lost - one that waits is canceled at the very moment the lock is let go: either it
 * has the lock or another gets it, and readers behind a writer that gave up get in. */
#include <pthread.h>
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"

static ant_rwmutex rw;
static ant_waitgroup wg;
static ant_ctx *ctx;
static _Atomic(ant_ctx *) to_cancel; /* by the thread */
static atomic_bool stop;

static void writer(void *arg)
{
    int err = ant_rwmutex_lock_ctx(&rw, arg);

    if (err)
        CHECK_INT(err, ANT_ECANCELED);
    else
        ant_rwmutex_unlock(&rw);
    ant_waitgroup_done(&wg);
}

static void reader(void *arg)
{
    int err = ant_rwmutex_rlock_ctx(&rw, arg);

    if (err)
        CHECK_INT(err, ANT_ECANCELED);
    else
        ant_rwmutex_runlock(&rw);
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
    bool writes = i & 1;

    CHECK_INT(ant_ctx_with_cancel(&ctx, NULL), 0);
    if (writes)
        ant_rwmutex_lock(&rw);
    else
        ant_rwmutex_rlock(&rw);
    ant_waitgroup_add(&wg, 4);
    CHECK_INT(ant_go(writer, ctx), 0);
    if (i & 2)
        ant_yield();
    CHECK_INT(ant_go(reader, i & 4 ? ctx : NULL), 0);
    CHECK_INT(ant_go(i & 8 ? writer : reader, NULL), 0);
    if (i & 16)
        ant_yield();
    if (i & 32)
        CHECK_INT(ant_go(cancel, NULL), 0);
    else
        atomic_store(&to_cancel, ctx);
    if (i & 64)
        ant_yield();
    if (writes)
        ant_rwmutex_unlock(&rw);
    else
        ant_rwmutex_runlock(&rw);
    ant_waitgroup_wait(&wg);
    CHECK(ant_rwmutex_try_lock(&rw));
    ant_rwmutex_unlock(&rw);
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

TEST(rwmutex_ctx_lost)
{
    return ant_run(run, NULL, NULL);
}
