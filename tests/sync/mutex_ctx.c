/* mutex_ctx - locking with a context: fails when that is done before, also if the mutex is free;
 * gives up when it is canceled, or its time is over, while waiting. Nothing is left of who gave up:
 * those before and behind it still get the mutex. For goroutines and threads. */
#include <pthread.h>
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"

enum { WAITERS = 6 };

static ant_mutex mutex;

static struct waiter {
    ant_ctx *ctx; /* NULL: does not give up */
    bool is_thread;
    pthread_t thread;
    atomic_bool begun, returned;
    int err;
} waiters[WAITERS];

static void lock_and_tell(void *arg)
{
    struct waiter *w = arg;

    atomic_store(&w->begun, true);
    w->err = ant_mutex_lock_ctx(&mutex, w->ctx);
    if (!w->err)
        ant_mutex_unlock(&mutex);
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

static void start(struct waiter *w, ant_ctx *ctx, bool is_thread)
{
    *w = (struct waiter){.ctx = ctx, .is_thread = is_thread};
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
    CHECK_INT(ant_mutex_lock_ctx(&mutex, canceled), 0); /* not yet */
    ant_mutex_unlock(&mutex);
    ant_ctx_cancel(canceled);
    CHECK_INT(ant_ctx_with_timeout(&late, NULL, 0), 0);
    for (int is_locked = 0; is_locked < 2; is_locked++) {
        CHECK_INT(ant_mutex_lock_ctx(&mutex, canceled), ANT_ECANCELED);
        CHECK_INT(ant_mutex_lock_ctx(&mutex, late), ANT_ETIMEOUT);
        CHECK_INT(ant_mutex_try_lock(&mutex), !is_locked);
    }
    ant_mutex_unlock(&mutex);
    ant_ctx_unref(canceled);
    ant_ctx_unref(late);
}

/* Every second one gives up, the first if parity is 0. */
static void canceled_while_waiting(int parity, bool threads)
{
    ant_ctx *ctx;

    CHECK_INT(ant_ctx_with_cancel(&ctx, NULL), 0);
    ant_mutex_lock(&mutex);
    for (int i = 0; i < WAITERS; i++)
        start(&waiters[i], i % 2 == parity ? ctx : NULL, threads && i % 3);
    ant_ctx_cancel(ctx);
    for (int i = parity; i < WAITERS; i += 2)
        check_returns(&waiters[i], ANT_ECANCELED);
    let_others_run();
    for (int i = !parity; i < WAITERS; i += 2)
        CHECK(!atomic_load(&waiters[i].returned));
    ant_mutex_unlock(&mutex);
    for (int i = !parity; i < WAITERS; i += 2)
        check_returns(&waiters[i], 0);
    CHECK(ant_mutex_try_lock(&mutex));
    ant_mutex_unlock(&mutex);
    ant_ctx_unref(ctx);
}

static void late_while_waiting(void)
{
    ant_ctx *ctx;

    ant_mutex_lock(&mutex);
    CHECK_INT(ant_ctx_with_timeout(&ctx, NULL, 100 * ANT_MICROSECOND), 0);
    start(&waiters[0], ctx, false);
    start(&waiters[1], ctx, true);
    CHECK_INT(ant_mutex_lock_ctx(&mutex, ctx), ANT_ETIMEOUT);
    check_returns(&waiters[0], ANT_ETIMEOUT);
    check_returns(&waiters[1], ANT_ETIMEOUT);
    ant_mutex_unlock(&mutex);
    CHECK(ant_mutex_try_lock(&mutex));
    ant_mutex_unlock(&mutex);
    ant_ctx_unref(ctx);
}

static int run(void *arg)
{
    for (int i = 0; i < test_scale(40); i++) {
        done_before();
        canceled_while_waiting(i % 2, i % 4 >= 2);
        late_while_waiting();
    }
    return 0;
}

TEST(mutex_ctx)
{
    CHECK_INT(ant_run(run, NULL, NULL), 0);
    CHECK_INT(ant_start(NULL), 0);
    run(NULL);
    CHECK_INT(ant_stop(), 0);
    return 0;
}
