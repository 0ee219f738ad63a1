/* go_preemption_after_syscall.c - more goroutines than Ps that do nothing but block their threads
 * for a short time all get on, and so does one that sleeps; with calls that nobody announced, and with
 * announced ones that compute.
 *
 * Catches: one of them keeps its P, as sysmon sees it running whenever it looks. (Then this hangs.)
 */
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"

enum { GOROUTINES = 8 };

static _Atomic bool stop;
static _Atomic int begun;
static ant_waitgroup ended;

static void block_on(void *arg)
{
    atomic_fetch_add(&begun, 1);
    while (!atomic_load(&stop))
        usleep((useconds_t)(intptr_t)arg);
    ant_waitgroup_done(&ended);
}

static void compute_on(void *arg)
{
    atomic_fetch_add(&begun, 1);
    while (!atomic_load(&stop)) {
        ant_time until = ant_now() + (intptr_t)arg * ANT_MICROSECOND;

        ant_blocking_begin();
        while (ant_now() < until)
            continue;
        ant_blocking_end();
    }
    ant_waitgroup_done(&ended);
}

static void block(void (*fn)(void *), int microseconds)
{
    atomic_store(&stop, false);
    atomic_store(&begun, 0);
    ant_waitgroup_add(&ended, GOROUTINES);
    for (int i = 0; i < GOROUTINES; i++)
        CHECK_INT(ant_go(fn, (void *)(intptr_t)microseconds), 0);
    while (atomic_load(&begun) < GOROUTINES)
        ant_sleep(ANT_MILLISECOND);
    atomic_store(&stop, true);
    ant_waitgroup_wait(&ended);
}

static int run(void *arg)
{
    for (int microseconds = 10; microseconds <= 1000; microseconds *= 10) {
        block(block_on, microseconds);
        block(compute_on, microseconds);
    }
    return 0;
}

TEST(go_preemption_after_syscall)
{
    return ant_run(run, NULL, NULL);
}
