/* cond_ctx - waiting with a context: fails when that is done before; gives up when it is canceled,
 * or its time is over. The mutex is had again however the wait ends, also if somebody else has it
 * meanwhile. Who gave up is no longer in the way of a signal. */
#include <pthread.h>

#include <anthill.h>

#include "check.h"

enum { WAITERS = 6 };

static ant_mutex mutex;
static ant_cond cond;
static int waiting, back; /* the mutex guards these and the waiters */

static struct waiter {
    ant_ctx *ctx; /* NULL: does not give up */
    bool is_thread, is_back;
    pthread_t thread;
    int err;
} waiters[WAITERS];

static void wait_and_tell(void *arg)
{
    struct waiter *w = arg;

    ant_mutex_lock(&mutex);
    waiting++;
    w->err = ant_cond_wait_ctx(&cond, &mutex, w->ctx);
    CHECK(!ant_mutex_try_lock(&mutex));
    w->is_back = true;
    back++;
    ant_mutex_unlock(&mutex);
}

static void *wait_in_thread(void *arg)
{
    wait_and_tell(arg);
    return NULL;
}

/* Until a counter has come to n; returns with the mutex. */
static void lock_when(const int *counter, int n)
{
    ant_mutex_lock(&mutex);
    while (*counter < n) {
        ant_mutex_unlock(&mutex);
        ant_yield();
        ant_mutex_lock(&mutex);
    }
    CHECK_INT(*counter, n);
}

static void start_all(int parity, ant_ctx *ctx, bool threads)
{
    waiting = back = 0;
    for (int i = 0; i < WAITERS; i++) {
        struct waiter *w = &waiters[i];

        *w = (struct waiter){.ctx = i % 2 == parity ? ctx : NULL, .is_thread = threads && i % 3};
        if (w->is_thread)
            CHECK_INT(pthread_create(&w->thread, NULL, wait_in_thread, w), 0);
        else
            CHECK_INT(ant_go(wait_and_tell, w), 0);
        lock_when(&waiting, i + 1);
        ant_mutex_unlock(&mutex);
    }
}

static void join_all(void)
{
    for (int i = 0; i < WAITERS; i++) {
        if (waiters[i].is_thread)
            CHECK_INT(pthread_join(waiters[i].thread, NULL), 0);
    }
}

static void done_before(void)
{
    ant_ctx *canceled, *late;

    CHECK_INT(ant_ctx_with_cancel(&canceled, NULL), 0);
    ant_ctx_cancel(canceled);
    CHECK_INT(ant_ctx_with_timeout(&late, NULL, 0), 0);
    ant_mutex_lock(&mutex);
    CHECK_INT(ant_cond_wait_ctx(&cond, &mutex, canceled), ANT_ECANCELED);
    CHECK(!ant_mutex_try_lock(&mutex));
    CHECK_INT(ant_cond_wait_ctx(&cond, &mutex, late), ANT_ETIMEOUT);
    CHECK(!ant_mutex_try_lock(&mutex));
    ant_mutex_unlock(&mutex);
    ant_ctx_unref(canceled);
    ant_ctx_unref(late);
}

/* Every second one gives up; then signals, one for each that is left, reach these in order. */
static void canceled_while_waiting(int parity, bool threads)
{
    ant_ctx *ctx;

    CHECK_INT(ant_ctx_with_cancel(&ctx, NULL), 0);
    start_all(parity, ctx, threads);
    ant_mutex_lock(&mutex); /* who gives up has to wait for it */
    ant_ctx_cancel(ctx);
    for (int i = 0; i < 10; i++)
        ant_yield();
    CHECK_INT(back, 0);
    ant_mutex_unlock(&mutex);
    lock_when(&back, WAITERS / 2);
    for (int i = 0; i < WAITERS; i++)
        CHECK_INT(waiters[i].is_back, i % 2 == parity);
    ant_mutex_unlock(&mutex);
    for (int i = !parity; i < WAITERS; i += 2) {
        CHECK(!waiters[i].is_back);
        ant_cond_signal(&cond);
        lock_when(&back, WAITERS / 2 + i / 2 + 1);
        CHECK(waiters[i].is_back);
        ant_mutex_unlock(&mutex);
    }
    for (int i = 0; i < WAITERS; i++)
        CHECK_INT(waiters[i].err, i % 2 == parity ? ANT_ECANCELED : 0);
    join_all();
    ant_ctx_unref(ctx);
}

/* With a context that is not done before the broadcast. */
static void woken_in_time(bool threads)
{
    ant_ctx *ctx;

    CHECK_INT(ant_ctx_with_timeout(&ctx, NULL, ANT_HOUR), 0);
    start_all(0, ctx, threads);
    ant_cond_broadcast(&cond);
    lock_when(&back, WAITERS);
    ant_mutex_unlock(&mutex);
    for (int i = 0; i < WAITERS; i++)
        CHECK_INT(waiters[i].err, 0);
    join_all();
    ant_ctx_unref(ctx);
}

static void late_while_waiting(void)
{
    ant_ctx *ctx;

    CHECK_INT(ant_ctx_with_timeout(&ctx, NULL, 100 * ANT_MICROSECOND), 0);
    ant_mutex_lock(&mutex);
    CHECK_INT(ant_cond_wait_ctx(&cond, &mutex, ctx), ANT_ETIMEOUT);
    CHECK(!ant_mutex_try_lock(&mutex));
    ant_mutex_unlock(&mutex);
    ant_ctx_unref(ctx);
}

static int run(void *arg)
{
    for (int i = 0; i < test_scale(20); i++) {
        done_before();
        canceled_while_waiting(i % 2, i % 4 >= 2);
        woken_in_time(i % 2);
        late_while_waiting();
    }
    return 0;
}

TEST(cond_ctx)
{
    CHECK_INT(ant_run(run, NULL, NULL), 0);
    CHECK_INT(ant_start(NULL), 0);
    run(NULL);
    CHECK_INT(ant_stop(), 0);
    return 0;
}
