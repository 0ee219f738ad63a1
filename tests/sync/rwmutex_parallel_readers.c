/* rwmutex_parallel_readers - Go's TestParallelReaders: any number of readers hold it at once, each
 * staying until all have come; goroutines and threads. */
#include <pthread.h>

#include <anthill.h>

#include "check.h"

enum { MOST = 50 };

static ant_rwmutex rw;
static ant_waitgroup inside, gone;

static void reader(void *arg)
{
    ant_rwmutex_rlock(&rw);
    ant_waitgroup_done(&inside);
    ant_waitgroup_wait(&inside);
    ant_rwmutex_runlock(&rw);
    ant_waitgroup_done(&gone);
}

static void *reader_thread(void *arg)
{
    reader(arg);
    return NULL;
}

static void all_at_once(int goroutines, int threads)
{
    pthread_t ids[MOST];

    ant_waitgroup_add(&inside, goroutines + threads);
    ant_waitgroup_add(&gone, goroutines + threads);
    for (int i = 0; i < goroutines; i++)
        CHECK_INT(ant_go(reader, NULL), 0);
    for (int i = 0; i < threads; i++)
        CHECK_INT(pthread_create(&ids[i], NULL, reader_thread, NULL), 0);
    ant_waitgroup_wait(&gone);
    for (int i = 0; i < threads; i++)
        CHECK_INT(pthread_join(ids[i], NULL), 0);
    CHECK(ant_rwmutex_try_lock(&rw));
    ant_rwmutex_unlock(&rw);
}

static int run(void *arg)
{
    for (int i = 0; i < test_scale(200); i++) {
        all_at_once(1, 0);
        all_at_once(3, 1);
        all_at_once(4, 2);
        all_at_once(MOST, 0);
        all_at_once(0, 4);
    }
    return 0;
}

TEST(rwmutex_parallel_readers)
{
    return ant_run(run, NULL, NULL);
}
