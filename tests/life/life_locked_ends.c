/* life_locked_ends - with one thread allowed: a main goroutine that is tied to it returns while
 * another is queued, and a tied goroutine ends, with its thread, while others are queued. Neither
 * is an emergency. */
#include <anthill.h>

#include "check.h"

static ant_waitgroup wg;

static void nothing(void *arg)
{
}

static int return_tied(void *arg)
{
    CHECK_INT(ant_lock_thread(), 0);
    CHECK_INT(ant_go(nothing, NULL), 0);
    return 7;
}

static void done(void *arg)
{
    ant_waitgroup_done(&wg);
}

static void end_tied(void *arg)
{
    CHECK_INT(ant_lock_thread(), 0);
    for (int i = 0; i < 10; i++)
        CHECK_INT(ant_go(done, NULL), 0);
    ant_waitgroup_done(&wg);
}

static int wait_for_tied(void *arg)
{
    for (int i = 0; i < 20; i++) {
        ant_waitgroup_add(&wg, 11);
        CHECK_INT(ant_go(end_tied, NULL), 0);
        ant_waitgroup_wait(&wg);
    }
    return 0;
}

TEST(life_locked_ends)
{
    const ant_config config = {.procs = 1, .max_threads = 1};

    for (int i = 0; i < 20; i++)
        CHECK_INT(ant_run(return_tied, NULL, &config), 7);
    CHECK_INT(ant_run(wait_for_tied, NULL, &config), 0);
    return 0;
}
