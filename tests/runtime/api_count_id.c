/* api_count_id - ant_count counts running, runnable and waiting goroutines; ids are never used
 * twice; the main goroutine's is 1. */
#include <pthread.h>
#include <stdlib.h>

#include <anthill.h>

#include "check.h"

static ant_waitgroup begun, gate;
static uint64_t *ids;

static void wait_at_gate(void *arg)
{
    ant_waitgroup_done(&begun);
    ant_waitgroup_wait(&gate);
}

static void note_id(void *arg)
{
    *(uint64_t *)arg = ant_id();
    ant_waitgroup_done(&begun);
}

static void *note_from_thread(void *arg)
{
    int n = *(int *)arg;

    for (int i = 0; i < n; i++)
        CHECK_INT(ant_go(note_id, &ids[n + i]), 0);
    return NULL;
}

static int by_value(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return x < y ? -1 : x > y;
}

static int run(void *arg)
{
    int n = test_scale(20000);
    pthread_t t;

    CHECK_INT(ant_id(), 1);
    CHECK_INT(ant_count(), 1);
    ant_waitgroup_add(&gate, 1);
    ant_waitgroup_add(&begun, 100);
    for (int i = 0; i < 100; i++) {
        CHECK_INT(ant_go(wait_at_gate, NULL), 0);
        CHECK_INT(ant_count(), i + 2);
    }
    ant_waitgroup_wait(&begun);
    CHECK_INT(ant_count(), 101);
    ant_waitgroup_done(&gate);
    while (ant_count() > 1)
        ant_yield();

    ids = calloc((size_t)n * 2 + 1, sizeof *ids);
    ids[n * 2] = ant_id();
    ant_waitgroup_add(&begun, n * 2);
    CHECK_INT(pthread_create(&t, NULL, note_from_thread, &n), 0);
    for (int i = 0; i < n; i++)
        CHECK_INT(ant_go(note_id, &ids[i]), 0);
    CHECK_INT(pthread_join(t, NULL), 0);
    ant_waitgroup_wait(&begun);
    qsort(ids, (size_t)n * 2 + 1, sizeof *ids, by_value);
    CHECK_INT(ids[0], 1);
    for (int i = 1; i <= n * 2; i++)
        CHECK(ids[i] > ids[i - 1]);
    free(ids);
    return 0;
}

TEST(api_count_id)
{
    CHECK_INT(ant_run(run, NULL, NULL), 0);
    CHECK_INT(ant_count(), 0);
    CHECK_INT(ant_run(run, NULL, NULL), 0); /* the numbers begin anew */
    return 0;
}
