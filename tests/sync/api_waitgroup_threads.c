/* api_waitgroup_threads - without a runtime, among plain threads alone. */
#include <pthread.h>
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"

enum { THREADS = 4 };

static ant_waitgroup begin, end;
static atomic_int begun;

static void *thread(void *arg)
{
    ant_waitgroup_wait(&begin);
    atomic_fetch_add(&begun, 1);
    ant_waitgroup_done(&end);
    return NULL;
}

TEST(api_waitgroup_threads)
{
    for (int round = 0; round < test_scale(500); round++) {
        pthread_t threads[THREADS];

        atomic_store(&begun, 0);
        ant_waitgroup_add(&begin, 1);
        ant_waitgroup_add(&end, THREADS);
        for (int i = 0; i < THREADS; i++)
            CHECK_INT(pthread_create(&threads[i], NULL, thread, NULL), 0);
        CHECK_INT(atomic_load(&begun), 0);
        ant_waitgroup_done(&begin);
        ant_waitgroup_wait(&end);
        CHECK_INT(atomic_load(&begun), THREADS);
        for (int i = 0; i < THREADS; i++)
            CHECK_INT(pthread_join(threads[i], NULL), 0);
    }
    return 0;
}
