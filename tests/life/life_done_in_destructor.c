/* life_done_in_destructor - a goroutine ends tied to its thread, which so ends too; a destructor of that thread
 * does, a while later, what all others wait for.
 *
 * Catches: a deadlock that is reported while a thread is still ending. */
#include <pthread.h>

#include <anthill.h>

#include "check.h"

static pthread_key_t key;

static void done_late(void *wg)
{
    usleep(20000);
    ant_waitgroup_done(wg);
}

static void end_tied(void *wg)
{
    CHECK_INT(ant_lock_thread(), 0);
    CHECK_INT(pthread_setspecific(key, wg), 0);
}

static int run(void *arg)
{
    ant_waitgroup wg = {0};

    for (int i = 0; i < 5; i++) {
        ant_waitgroup_add(&wg, 1);
        CHECK_INT(ant_go(end_tied, &wg), 0);
        ant_waitgroup_wait(&wg);
    }
    return 0;
}

TEST(life_done_in_destructor)
{
    CHECK_INT(pthread_key_create(&key, done_late), 0);
    CHECK_INT(ant_run(run, NULL, NULL), 0);
    return 0;
}
