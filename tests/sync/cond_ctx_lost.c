/* cond_ctx_lost - one of two that wait is canceled at the very moment of a signal: either it
 * returns 0, and has the signal, or the other has it. The signal is neither lost nor doubled. */
#include <pthread.h>
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"

static ant_mutex mutex;
static ant_cond cond;
static ant_waitgroup wg, canceled_is_back;
static ant_ctx *ctx;
static _Atomic(ant_ctx *) to_cancel; /* by the thread */
static atomic_bool stop;
static int waiting, back, err_of_canceled; /* the mutex guards them */

static void waiter(void *arg)
{
    int err;

    ant_mutex_lock(&mutex);
    waiting++;
    err = ant_cond_wait_ctx(&cond, &mutex, arg);
    back++;
    if (arg)
        err_of_canceled = err;
    else
        CHECK_INT(err, 0);
    ant_mutex_unlock(&mutex);
    ant_waitgroup_done(arg ? &canceled_is_back : &wg);
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

static int load(const int *number)
{
    int n;

    ant_mutex_lock(&mutex);
    n = *number;
    ant_mutex_unlock(&mutex);
    return n;
}

static void start(ant_ctx *with, int n)
{
    CHECK_INT(ant_go(waiter, with), 0);
    while (load(&waiting) < n)
        ant_yield();
}

static void play(int i)
{
    waiting = back = 0;
    CHECK_INT(ant_ctx_with_cancel(&ctx, NULL), 0);
    ant_waitgroup_add(&wg, 2);
    ant_waitgroup_add(&canceled_is_back, 1);
    start(i & 1 ? ctx : NULL, 1);
    start(i & 1 ? NULL : ctx, 2);
    if (i & 2)
        CHECK_INT(ant_go(cancel, NULL), 0);
    else
        atomic_store(&to_cancel, ctx);
    if (i & 4)
        ant_yield();
    ant_cond_signal(&cond);
    ant_waitgroup_wait(&canceled_is_back);
    if (load(&err_of_canceled) == 0) { /* it had the signal, so the other waits for one */
        CHECK_INT(load(&back), 1);
        ant_cond_signal(&cond);
    } else {
        CHECK_INT(load(&err_of_canceled), ANT_ECANCELED);
    }
    ant_waitgroup_wait(&wg);
    ant_ctx_unref(ctx);
}

static int run(void *arg)
{
    pthread_t t;

    CHECK_INT(pthread_create(&t, NULL, canceler, NULL), 0);
    for (int i = 0; i < test_scale(10000); i++)
        play(i);
    atomic_store(&stop, true);
    CHECK_INT(pthread_join(t, NULL), 0);
    return 0;
}

TEST(cond_ctx_lost)
{
    return ant_run(run, NULL, NULL);
}
