/* Blocking sections: others run meanwhile, with more sections than Ps; nested sections, calls into
 * the runtime within one, and ends without a beginning do no harm; errno survives. */
#include <errno.h>
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"

enum { BLOCKED = 16 };

static int fds[BLOCKED][2];
static _Atomic int inside;
static ant_waitgroup wg;

static void read_one(void *arg)
{
    char c;

    atomic_fetch_add(&inside, 1);
    CHECK_INT(read(*(int *)arg, &c, 1), 1);
}

static void blocked(void *arg)
{
    ant_blocking(read_one, arg);
    ant_waitgroup_done(&wg);
}

static __attribute__((noinline)) int errno_now(void)
{
    return errno;
}

static void failing(void *arg)
{
    ant_blocking_begin();
    errno = 0;
    CHECK_INT(close(-1), -1);
    usleep(2000);
    ant_blocking_end();
    CHECK_INT(errno_now(), EBADF);
    ant_waitgroup_done(&wg);
}

static void odd(void *arg)
{
    ant_blocking_begin();
    ant_blocking_begin();
    usleep(1000);
    ant_blocking_end();
    ant_blocking_end();
    ant_blocking_end();
    ant_blocking_begin();
    usleep(1000);
    ant_sleep(ANT_MILLISECOND); /* ends it */
    ant_yield();
    ant_blocking_end();
    ant_waitgroup_done(&wg);
}

static int run(void *arg)
{
    ant_waitgroup_add(&wg, 3 * BLOCKED);
    for (int i = 0; i < BLOCKED; i++) {
        ant_go(blocked, &fds[i][0]);
        ant_go(failing, NULL);
        ant_go(odd, NULL);
    }
    while (atomic_load(&inside) < BLOCKED) /* all at once, however few Ps */
        ant_sleep(ANT_MILLISECOND);
    for (int i = 0; i < BLOCKED; i++)
        CHECK_INT(write(fds[i][1], "x", 1), 1);
    ant_waitgroup_wait(&wg);
    for (int i = 0; i < BLOCKED; i++)
        CHECK(close(fds[i][0]) == 0 && close(fds[i][1]) == 0);
    return 0;
}

TEST(blocking_section)
{
    for (int i = 0; i < BLOCKED; i++)
        CHECK_INT(pipe(fds[i]), 0);
    ant_blocking_begin(); /* no goroutine: nothing happens */
    ant_blocking_end();
    CHECK_INT(ant_run(run, NULL, NULL), 0);
    return 0;
}
