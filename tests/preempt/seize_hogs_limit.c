/* However few may compute beside the Ps, those that are blocked do not count among them: with a limit
 * of one, one that computes and several that sit in system calls, all others still get on. And when
 * more compute than are allowed to, they take turns and all end.
 *
 * Catches: blocked threads taken for hogs (then the first part hangs). */
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"

enum { BLOCKED = 4, HOGS = 3 };

static int fds[BLOCKED][2];
static _Atomic bool stop;
static _Atomic int turns;
static ant_waitgroup wg;

static void block(void *arg)
{
    char c;

    CHECK_INT(read(*(int *)arg, &c, 1), 1);
    ant_waitgroup_done(&wg);
}

static void compute(void *arg)
{
    while (!atomic_load_explicit(&stop, memory_order_relaxed))
        continue;
    ant_waitgroup_done(&wg);
}

static void compute_for_a_while(void *arg)
{
    for (double until = test_now() + 0.1; test_now() < until;)
        continue;
    ant_waitgroup_done(&wg);
}

static void take_turns(void *arg)
{
    for (int i = 0; i < 10; i++) {
        atomic_fetch_add(&turns, 1);
        ant_yield();
    }
    ant_waitgroup_done(&wg);
}

static int run(void *arg)
{
    ant_waitgroup_add(&wg, BLOCKED + 2);
    ant_go(compute, NULL);
    for (int i = 0; i < BLOCKED; i++)
        ant_go(block, fds[i]);
    ant_go(take_turns, NULL);
    while (atomic_load(&turns) < 10)
        ant_sleep(ANT_MILLISECOND);
    atomic_store(&stop, true);
    for (int i = 0; i < BLOCKED; i++)
        CHECK_INT(write(fds[i][1], "x", 1), 1);
    ant_waitgroup_wait(&wg);
    for (int i = 0; i < BLOCKED; i++)
        CHECK(close(fds[i][0]) == 0 && close(fds[i][1]) == 0);

    ant_waitgroup_add(&wg, HOGS);
    for (int i = 0; i < HOGS; i++)
        ant_go(compute_for_a_while, NULL);
    ant_waitgroup_wait(&wg);
    return 0;
}

TEST(seize_hogs_limit)
{
    for (int i = 0; i < BLOCKED; i++)
        CHECK_INT(pipe(fds[i]), 0);
    CHECK_INT(ant_run(run, NULL, &(ant_config){.procs = 1, .max_hogs = 1}), 0);
    return 0;
}
