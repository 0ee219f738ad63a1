/* rwmutex_ctx - locking with a context, for reading and for writing: fails when that is done
 * before, also if the lock is free; gives up when it is canceled, or its time is over, while
 * waiting. A writer that gives up lets the readers behind it in; a reader that gives up leaves no
 * trace. */
#include <pthread.h>
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"

static ant_rwmutex rw;

struct waiter {
    bool writes, is_thread;
    ant_ctx *ctx; /* NULL: does not give up */
    pthread_t thread;
    atomic_bool begun, returned;
    int err;
};

static int lock(bool writes, ant_ctx *ctx)
{
    return writes ? ant_rwmutex_lock_ctx(&rw, ctx) : ant_rwmutex_rlock_ctx(&rw, ctx);
}

static void unlock(bool writes)
{
    if (writes)
        ant_rwmutex_unlock(&rw);
    else
        ant_rwmutex_runlock(&rw);
}

static void check_free(void)
{
    CHECK(ant_rwmutex_try_lock(&rw));
    ant_rwmutex_unlock(&rw);
}

static void lock_and_tell(void *arg)
{
    struct waiter *w = arg;

    atomic_store(&w->begun, true);
    w->err = lock(w->writes, w->ctx);
    if (!w->err)
        unlock(w->writes);
    atomic_store(&w->returned, true);
}

static void *lock_in_thread(void *arg)
{
    lock_and_tell(arg);
    return NULL;
}

/* What waits goes on waiting: it has been given every chance. */
static void let_others_run(void)
{
    for (int i = 0; i < 20; i++)
        ant_yield();
}

static void start(struct waiter *w, bool writes, ant_ctx *ctx, bool is_thread)
{
    *w = (struct waiter){.writes = writes, .is_thread = is_thread, .ctx = ctx};
    if (is_thread)
        CHECK_INT(pthread_create(&w->thread, NULL, lock_in_thread, w), 0);
    else
        CHECK_INT(ant_go(lock_and_tell, w), 0);
    while (!atomic_load(&w->begun))
        ant_yield();
    let_others_run();
}

static void check_returns(struct waiter *w, int err)
{
    while (!atomic_load(&w->returned))
        ant_yield();
    if (w->is_thread)
        CHECK_INT(pthread_join(w->thread, NULL), 0);
    CHECK_INT(w->err, err);
}

static void done_before(void)
{
    ant_ctx *canceled, *late;

    CHECK_INT(ant_ctx_with_cancel(&canceled, NULL), 0);
    CHECK_INT(ant_ctx_with_timeout(&late, NULL, -1), 0);
    for (int writes = 0; writes < 2; writes++) {
        CHECK_INT(lock(writes, writes ? NULL : canceled), 0); /* not yet done */
        unlock(writes);
    }
    ant_ctx_cancel(canceled);
    for (int writes = 0; writes < 2; writes++) {
        CHECK_INT(lock(writes, canceled), ANT_ECANCELED);
        CHECK_INT(lock(writes, late), ANT_ETIMEOUT);
    }
    check_free();
    ant_ctx_unref(canceled);
    ant_ctx_unref(late);
}

/* A reader holds it, a writer with a context waits, readers wait behind that. */
static void canceled_writer(bool threads)
{
    struct waiter writer, readers[3];
    ant_ctx *ctx;

    CHECK_INT(ant_ctx_with_cancel(&ctx, NULL), 0);
    ant_rwmutex_rlock(&rw);
    start(&writer, true, ctx, threads);
    while (ant_rwmutex_try_rlock(&rw)) { /* until the writer waits */
        ant_rwmutex_runlock(&rw);
        ant_yield();
    }
    for (int i = 0; i < 3; i++)
        start(&readers[i], false, NULL, threads && i != 1);
    for (int i = 0; i < 3; i++)
        CHECK(!atomic_load(&readers[i].returned));
    ant_ctx_cancel(ctx);
    check_returns(&writer, ANT_ECANCELED);
    for (int i = 0; i < 3; i++)
        check_returns(&readers[i], 0); /* while this reader holds it still */
    ant_rwmutex_runlock(&rw);
    check_free();
    ant_ctx_unref(ctx);
}

/* A writer holds it; of the readers and writers that wait every second one gives up. */
static void canceled_among_others(bool threads)
{
    struct waiter waiters[8];
    ant_ctx *ctx;

    CHECK_INT(ant_ctx_with_cancel(&ctx, NULL), 0);
    ant_rwmutex_lock(&rw);
    for (int i = 0; i < 8; i++)
        start(&waiters[i], i % 4 < 2, i % 2 ? ctx : NULL, threads && i % 3);
    ant_ctx_cancel(ctx);
    for (int i = 1; i < 8; i += 2)
        check_returns(&waiters[i], ANT_ECANCELED);
    for (int i = 0; i < 8; i += 2)
        CHECK(!atomic_load(&waiters[i].returned));
    ant_rwmutex_unlock(&rw);
    for (int i = 0; i < 8; i += 2)
        check_returns(&waiters[i], 0);
    check_free();
    ant_ctx_unref(ctx);
}

static void late_while_waiting(void)
{
    ant_ctx *ctx;

    for (int held = 0; held < 2; held++) {
        CHECK_INT(lock(held, NULL), 0);
        CHECK_INT(ant_ctx_with_timeout(&ctx, NULL, 100 * ANT_MICROSECOND), 0);
        CHECK_INT(lock(true, ctx), ANT_ETIMEOUT);
        CHECK_INT(lock(false, ctx), ANT_ETIMEOUT);
        ant_ctx_unref(ctx);
        if (held) {
            CHECK_INT(ant_ctx_with_timeout(&ctx, NULL, 100 * ANT_MICROSECOND), 0);
            CHECK_INT(lock(false, ctx), ANT_ETIMEOUT);
            ant_ctx_unref(ctx);
        }
        unlock(held);
        check_free();
    }
}

static int run(void *arg)
{
    for (int i = 0; i < test_scale(20); i++) {
        done_before();
        canceled_writer(i % 2);
        canceled_among_others(i % 2);
        late_while_waiting();
    }
    return 0;
}

TEST(rwmutex_ctx)
{
    CHECK_INT(ant_run(run, NULL, NULL), 0);
    CHECK_INT(ant_start(NULL), 0);
    run(NULL);
    CHECK_INT(ant_stop(), 0);
    return 0;
}
