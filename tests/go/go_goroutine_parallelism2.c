/* go_goroutine_parallelism2.c - the same as go_goroutine_parallelism for goroutines that each
 * start the next one and then hold on to their P, with fresh threads, with such as have slept, and
 * with one that sleeps in the poller.
 *
 * Catches: what a P keeps for itself as the next to run is out of reach for the others; a wake-up
 * is lost when all threads but one sleep. (Then this hangs.)
 */
#include <sched.h>
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"

enum { ROUNDS = 10 };

static _Atomic int here;
static ant_waitgroup ended, read_ended;

static void start_next_and_meet(void *arg)
{
    int left = *(int *)arg - 1;

    if (left > 0)
        CHECK_INT(ant_go_copy(start_next_and_meet, &left, sizeof left), 0);
    atomic_fetch_add(&here, 1);
    while (atomic_load(&here) < ant_procs())
        sched_yield();
    ant_waitgroup_done(&ended);
}

static void meet(void)
{
    int procs = ant_procs();

    atomic_store(&here, 0);
    ant_waitgroup_add(&ended, procs);
    CHECK_INT(ant_go_copy(start_next_and_meet, &procs, sizeof procs), 0);
    ant_waitgroup_wait(&ended);
}

static void read_one(void *arg)
{
    char c;

    CHECK_INT(ant_read(*(ant_io *)arg, &c, 1), 1);
    ant_waitgroup_done(&read_ended);
}

static int run(void *arg)
{
    ant_io ends[2];

    for (int round = 0; round < ROUNDS; round++)
        meet();
    for (int round = 0; round < ROUNDS; round++) {
        ant_sleep(ANT_MILLISECOND); /* the threads fall asleep */
        meet();
    }
    CHECK_INT(ant_pipe(ends), 0);
    ant_waitgroup_add(&read_ended, 1);
    CHECK_INT(ant_go(read_one, &ends[0]), 0);
    for (int round = 0; round < ROUNDS; round++) {
        ant_sleep(ANT_MILLISECOND);
        meet();
    }
    CHECK_INT(ant_write(ends[1], "x", 1), 1);
    ant_waitgroup_wait(&read_ended);
    CHECK_INT(ant_close(ends[0]), 0);
    CHECK_INT(ant_close(ends[1]), 0);
    return 0;
}

TEST(go_goroutine_parallelism2)
{
    return ant_run(run, NULL, NULL);
}
