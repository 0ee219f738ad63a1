/* api_errno - errno belongs to the goroutine: it is what it was after every kind of suspension,
 * whichever thread it goes on in. Many goroutines, each with a value of its own; also at -O3 and
 * with link-time optimisation, where a runtime that keeps errno's address over a suspension would
 * be found out.
 *
 * glibc declares the address of errno constant, so a function that uses errno on both sides of a
 * suspension may read the former thread's. Hence the two functions that are not inlined. */
#include <errno.h>
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"

enum { GOROUTINES = 200 };

static ant_waitgroup all;
static atomic_int ended;

static __attribute__((noinline)) int get_errno(void)
{
    __asm__ volatile("" ::: "memory");
    return errno;
}

static __attribute__((noinline)) void set_errno(int value)
{
    __asm__ volatile("" ::: "memory");
    errno = value;
}

static void release(void *wg)
{
    set_errno(9999); /* somebody else's */
    ant_waitgroup_done(wg);
    set_errno(8888);
}

static void goroutine(void *arg)
{
    int mine = 1000 + (int)(intptr_t)arg;

    for (int i = 0; i < test_scale(400); i++) {
        ant_waitgroup wg = {0};

        set_errno(mine);
        ant_yield();
        CHECK_INT(get_errno(), mine);
        set_errno(mine + 1000);
        ant_sleep(1 + i % 3 * 10 * ANT_MICROSECOND);
        CHECK_INT(get_errno(), mine + 1000);
        set_errno(mine + 2000);
        ant_waitgroup_add(&wg, 1);
        CHECK_INT(ant_go(release, &wg), 0);
        CHECK_INT(get_errno(), mine + 2000);
        ant_waitgroup_wait(&wg);
        CHECK_INT(get_errno(), mine + 2000);
    }
    atomic_fetch_add(&ended, 1);
    ant_waitgroup_done(&all);
}

static int run(void *arg)
{
    set_errno(77);
    ant_waitgroup_add(&all, GOROUTINES);
    for (int i = 0; i < GOROUTINES; i++)
        CHECK_INT(ant_go(goroutine, (void *)(intptr_t)i), 0);
    CHECK_INT(get_errno(), 77);
    ant_waitgroup_wait(&all);
    CHECK_INT(get_errno(), 77);
    CHECK_INT(atomic_load(&ended), GOROUTINES);
    return 0;
}

TEST(api_errno)
{
    set_errno(55);
    CHECK_INT(ant_run(run, NULL, NULL), 0);
    CHECK_INT(get_errno(), 55); /* nor does the runtime touch its caller's */
    return 0;
}
