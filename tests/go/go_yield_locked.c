/* go_yield_locked.c - yield and sleep work in a goroutine that is tied to its thread, and it may
 * end tied.
 *
 * Catches: a tied goroutine goes on in another thread, or its thread is not woken for it.
 */
#include <unistd.h>

#include <anthill.h>

#include "check.h"

enum { TURNS = 10 };

static ant_waitgroup ended;

static void tied(void *arg)
{
    pid_t thread;

    CHECK_INT(ant_lock_thread(), 0);
    thread = gettid();
    for (int i = 0; i < TURNS; i++) {
        ant_yield();
        CHECK_INT(gettid(), thread);
        ant_sleep(ANT_MILLISECOND / 10);
        CHECK_INT(gettid(), thread);
    }
    ant_waitgroup_done(&ended);
}

static int run(void *arg)
{
    for (int i = 0; i < 3; i++) {
        ant_waitgroup_add(&ended, 1);
        CHECK_INT(ant_go(tied, NULL), 0);
    }
    ant_waitgroup_wait(&ended);
    return 0;
}

TEST(go_yield_locked)
{
    return ant_run(run, NULL, NULL);
}
