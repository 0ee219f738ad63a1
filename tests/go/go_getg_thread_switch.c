/* go_getg_thread_switch.c - a goroutine that goes on in another thread still knows who it is: its
 * number, its locals, its errno.
 *
 * Catches: the compiler keeps the address of a thread-local across a switch; hence also with
 * link-time optimisation, and with the calls before and after the switch in one function.
 */
#include <errno.h>
#include <stdatomic.h>
#include <unistd.h>

#include <anthill.h>

#include "check.h"

enum { GOROUTINES = 4, MOVES = 20 };

static ant_local key;
static ant_waitgroup ended;

/* Not inlined: the compiler takes the address of errno for constant within a function. */
__attribute__((noinline)) static int errno_now(void)
{
    __asm__ volatile("");
    return errno;
}

__attribute__((noinline)) static void errno_set(int value)
{
    __asm__ volatile("");
    errno = value;
}

/* Keeps the thread it runs on for a moment, so that the others must go on elsewhere. */
static void keep_thread(void *arg)
{
    CHECK_INT(ant_lock_thread(), 0);
    ant_yield();
    CHECK_INT(ant_unlock_thread(), 0);
}

static void know_yourself(void *arg)
{
    int mine = (int)(intptr_t)arg;
    uint64_t id = ant_id();

    CHECK_INT(ant_local_set(key, arg), 0);
    for (int moves = 0; moves < MOVES;) {
        pid_t thread = gettid();

        CHECK_INT(ant_go(keep_thread, NULL), 0);
        errno_set(mine);
        ant_yield();
        CHECK_INT(errno_now(), mine);
        CHECK_INT(ant_id(), id);
        CHECK(ant_local_get(key) == arg);
        moves += gettid() != thread;
        thread = gettid();
        errno_set(mine);
        ant_sleep(moves % 4 == 0 ? ANT_MICROSECOND : 0);
        CHECK_INT(errno_now(), mine);
        CHECK_INT(ant_id(), id);
        CHECK(ant_local_get(key) == arg);
        moves += gettid() != thread;
    }
    ant_waitgroup_done(&ended);
}

static int run(void *arg)
{
    ant_waitgroup_add(&ended, GOROUTINES);
    for (intptr_t i = 1; i <= GOROUTINES; i++)
        CHECK_INT(ant_go(know_yourself, (void *)i), 0);
    ant_waitgroup_wait(&ended);
    CHECK_INT(ant_id(), 1);
    return 0;
}

TEST(go_getg_thread_switch)
{
    CHECK_INT(ant_local_new(&key, NULL), 0);
    return ant_run(run, NULL, NULL);
}
