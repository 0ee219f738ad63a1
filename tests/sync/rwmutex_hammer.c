/* rwmutex_hammer - Go's TestRWMutex: readers and writers in many combinations. A counter to which a
 * reader adds 1 and a writer 10000 shows that a writer is alone, and a reader with readers only. */
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"

enum { READER = 1, WRITER = 10000 };

static ant_rwmutex rw;
static ant_waitgroup wg;
static atomic_int activity;
static long written; /* not atomic: the mutex guards it */

static void stay(int i)
{
    for (int k = 0; k < i % 3; k++)
        ant_yield();
}

static void reader(void *arg)
{
    int n = (int)(intptr_t)arg;

    for (int i = 0; i < n; i++) {
        int before;
        long value;

        ant_rwmutex_rlock(&rw);
        before = atomic_fetch_add(&activity, READER);
        value = written;
        if (before < 0 || before >= WRITER)
            FAIL("a reader came in at %d", before);
        stay(i);
        CHECK_INT(written, value);
        atomic_fetch_sub(&activity, READER);
        ant_rwmutex_runlock(&rw);
    }
    ant_waitgroup_done(&wg);
}

static void writer(void *arg)
{
    int n = (int)(intptr_t)arg;

    for (int i = 0; i < n; i++) {
        ant_rwmutex_lock(&rw);
        CHECK_INT(atomic_fetch_add(&activity, WRITER), 0);
        written++;
        stay(i);
        CHECK_INT(atomic_fetch_sub(&activity, WRITER), WRITER);
        ant_rwmutex_unlock(&rw);
    }
    ant_waitgroup_done(&wg);
}

static void hammer(int procs, int readers, int writers)
{
    void *n = (void *)(intptr_t)test_scale(500);

    CHECK(ant_set_procs(procs) > 0);
    written = 0;
    ant_waitgroup_add(&wg, readers + writers);
    for (int i = 0; i < readers + writers; i++) {
        bool is_writer = i == 0 || (writers == 2 && i == readers / 2);

        CHECK_INT(ant_go(is_writer ? writer : reader, n), 0);
    }
    ant_waitgroup_wait(&wg);
    CHECK_INT(written, (long)writers * (intptr_t)n);
    CHECK(ant_rwmutex_try_lock(&rw));
    ant_rwmutex_unlock(&rw);
}

static int run(void *arg)
{
    static const struct {
        int procs, readers, writers;
    } games[] = {{1, 1, 1},  {1, 3, 1},  {1, 10, 1}, {4, 1, 1},   {4, 3, 1},
                 {4, 10, 1}, {10, 1, 1}, {10, 3, 1}, {10, 10, 1}, {10, 5, 2}};

    for (size_t i = 0; i < sizeof games / sizeof games[0]; i++)
        hammer(games[i].procs, games[i].readers, games[i].writers);
    return 0;
}

TEST(rwmutex_hammer)
{
    return ant_run(run, NULL, NULL);
}
