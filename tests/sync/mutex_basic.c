/* mutex_basic - trying fails while it is locked and succeeds when it is free; who unlocks need not
 * be who locked, be it a goroutine or a thread. Without a runtime too. */
#include <pthread.h>

#include <anthill.h>

#include "check.h"

static ant_mutex mutex;
static ant_waitgroup wg;

static void basics(void)
{
    CHECK(ant_mutex_try_lock(&mutex));
    CHECK(!ant_mutex_try_lock(&mutex));
    ant_mutex_unlock(&mutex);
    ant_mutex_lock(&mutex);
    CHECK(!ant_mutex_try_lock(&mutex));
    ant_mutex_unlock(&mutex);
    CHECK(ant_mutex_try_lock(&mutex));
    ant_mutex_unlock(&mutex);
    CHECK_INT(ant_mutex_lock_ctx(&mutex, NULL), 0);
    CHECK(!ant_mutex_try_lock(&mutex));
    ant_mutex_unlock(&mutex);
}

static void unlock_it(void *arg)
{
    ant_mutex_unlock(&mutex);
    ant_waitgroup_done(&wg);
}

static void *unlock_in_thread(void *arg)
{
    unlock_it(arg);
    return NULL;
}

/* The second lock waits for what another unlocks. */
static void unlocked_by_others(void)
{
    pthread_t t;

    ant_waitgroup_add(&wg, 2);
    ant_mutex_lock(&mutex);
    CHECK_INT(ant_go(unlock_it, NULL), 0);
    ant_mutex_lock(&mutex);
    CHECK_INT(pthread_create(&t, NULL, unlock_in_thread, NULL), 0);
    ant_mutex_lock(&mutex);
    ant_waitgroup_wait(&wg);
    CHECK_INT(pthread_join(t, NULL), 0);
    ant_mutex_unlock(&mutex);
}

static int run(void *arg)
{
    for (int i = 0; i < 100; i++) {
        basics();
        unlocked_by_others();
    }
    return 0;
}

TEST(mutex_basic)
{
    basics();
    CHECK_INT(ant_run(run, NULL, NULL), 0);
    CHECK_INT(ant_start(NULL), 0);
    run(NULL);
    CHECK_INT(ant_stop(), 0);
    return 0;
}
