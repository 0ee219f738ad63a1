/* mutex_threads - without a runtime, among plain threads alone; with a context that is canceled
 * too. */
#include <pthread.h>

#include <anthill.h>

#include "check.h"

enum { THREADS = 6 };

static ant_mutex mutex;
static ant_ctx *ctx;
static long turns; /* not atomic: the mutex guards it */

static void *hammer(void *arg)
{
    int n = test_scale(20000);

    for (int i = 0; i < n; i++) {
        ant_mutex_lock(&mutex);
        turns++;
        if (i % 100 == 0)
            ant_yield();
        ant_mutex_unlock(&mutex);
    }
    return NULL;
}

static void *give_up(void *arg)
{
    CHECK_INT(ant_mutex_lock_ctx(&mutex, ctx), ANT_ECANCELED);
    return NULL;
}

static void start_and_join(void *(*fn)(void *), bool cancel)
{
    pthread_t threads[THREADS];

    for (int i = 0; i < THREADS; i++)
        CHECK_INT(pthread_create(&threads[i], NULL, fn, NULL), 0);
    if (cancel)
        ant_ctx_cancel(ctx);
    for (int i = 0; i < THREADS; i++)
        CHECK_INT(pthread_join(threads[i], NULL), 0);
}

TEST(mutex_threads)
{
    start_and_join(hammer, false);
    CHECK_INT(turns, (long)THREADS * test_scale(20000));
    CHECK_INT(ant_ctx_with_cancel(&ctx, NULL), 0);
    ant_mutex_lock(&mutex);
    start_and_join(give_up, true);
    ant_mutex_unlock(&mutex);
    start_and_join(hammer, false);
    CHECK(ant_mutex_try_lock(&mutex));
    ant_ctx_unref(ctx);
    return 0;
}
