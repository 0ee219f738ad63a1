/* cond_ctx_shared - many lock one mutex and wait on one condition with one and the same context,
 * taking turns: they do not get in one another's way. Goroutines and threads. At the end the
 * context is canceled, and all give up, wherever they wait. */
#include <pthread.h>

#include <anthill.h>

#include "check.h"

enum { GOROUTINES = 4, THREADS = 3, ALL = GOROUTINES + THREADS };

static ant_mutex mutex;
static ant_cond cond;
static ant_ctx *ctx;
static ant_waitgroup wg;
static int turn; /* the mutex guards it */

static int take_turn(int me)
{
    int err = ant_mutex_lock_ctx(&mutex, ctx);

    if (err)
        return err;
    while (!err && turn % ALL != me)
        err = ant_cond_wait_ctx(&cond, &mutex, ctx);
    if (!err) {
        turn++;
        ant_cond_broadcast(&cond);
    }
    ant_mutex_unlock(&mutex);
    return err;
}

static void take_turns(void *arg)
{
    int me = (int)(intptr_t)arg;
    int err = 0;

    while (!err)
        err = take_turn(me);
    CHECK_INT(err, ANT_ECANCELED);
    ant_waitgroup_done(&wg);
}

static void *thread(void *arg)
{
    take_turns(arg);
    return NULL;
}

static void await_turns(int n)
{
    ant_mutex_lock(&mutex);
    while (turn < n)
        ant_cond_wait(&cond, &mutex);
    ant_mutex_unlock(&mutex);
}

static void play(int turns)
{
    pthread_t threads[THREADS];

    turn = 0;
    CHECK_INT(ant_ctx_with_cancel(&ctx, NULL), 0);
    ant_waitgroup_add(&wg, ALL);
    for (intptr_t i = 0; i < THREADS; i++)
        CHECK_INT(pthread_create(&threads[i], NULL, thread, (void *)(GOROUTINES + i)), 0);
    for (intptr_t i = 0; i < GOROUTINES; i++)
        CHECK_INT(ant_go(take_turns, (void *)i), 0);
    await_turns(turns);
    ant_ctx_cancel(ctx);
    ant_waitgroup_wait(&wg);
    for (int i = 0; i < THREADS; i++)
        CHECK_INT(pthread_join(threads[i], NULL), 0);
    CHECK(ant_mutex_try_lock(&mutex));
    ant_mutex_unlock(&mutex);
    ant_ctx_unref(ctx);
}

static int run(void *arg)
{
    for (int i = 0; i < 5; i++)
        play(test_scale(2000));
    return 0;
}

TEST(cond_ctx_shared)
{
    return ant_run(run, NULL, NULL);
}
