/* Threads that sit in a system call that nobody announced do not keep others from running: here
 * they read from pipes that are written to only when the others are done. */
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"

enum { BLOCKED = 12, TURNS = 20 };

static int fds[BLOCKED][2];
static _Atomic int turns;
static ant_waitgroup wg;

static void blocked(void *arg)
{
    int *fd = arg;
    char c = 0;

    CHECK_INT(read(fd[0], &c, 1), 1);
    CHECK_INT(c, 'x');
    ant_waitgroup_done(&wg);
}

static void worker(void *arg)
{
    for (int i = 0; i < TURNS; i++) {
        atomic_fetch_add(&turns, 1);
        ant_sleep(ANT_MILLISECOND);
    }
    ant_waitgroup_done(&wg);
}

static int run(void *arg)
{
    ant_waitgroup_add(&wg, BLOCKED + 2);
    for (int i = 0; i < BLOCKED; i++)
        ant_go(blocked, fds[i]);
    ant_go(worker, NULL);
    ant_go(worker, NULL);
    while (atomic_load(&turns) < 2 * TURNS)
        ant_sleep(ANT_MILLISECOND);
    for (int i = 0; i < BLOCKED; i++)
        CHECK_INT(write(fds[i][1], "x", 1), 1);
    ant_waitgroup_wait(&wg);
    for (int i = 0; i < BLOCKED; i++)
        CHECK(close(fds[i][0]) == 0 && close(fds[i][1]) == 0);
    return 0;
}

TEST(seize_blocked)
{
    for (int i = 0; i < BLOCKED; i++)
        CHECK_INT(pipe(fds[i]), 0);
    CHECK_INT(ant_run(run, NULL, NULL), 0);
    return 0;
}
