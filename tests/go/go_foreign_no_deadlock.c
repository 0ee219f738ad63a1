/* go_foreign_no_deadlock.c - goroutines that all wait are no deadlock while there is a timer, or a
 * thread of the program's own that can wake one.
 *
 * Catches: a deadlock reported where there is none. (The place of Go's NetpollDeadlock: waiting
 * for the network is none either.)
 */
#include <pthread.h>
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"

static ant_waitgroup woken;

static void *wake_later(void *arg)
{
    usleep(2000);
    ant_waitgroup_done(&woken);
    return NULL;
}

static void done(void *arg)
{
    ant_waitgroup_done(&woken);
}

static int run(void *arg)
{
    pthread_t thread;
    ant_timer timer = {{0}};

    for (int i = 0; i < 5; i++) {
        ant_waitgroup_add(&woken, 1);
        CHECK_INT(pthread_create(&thread, NULL, wake_later, NULL), 0);
        ant_waitgroup_wait(&woken);
        pthread_join(thread, NULL);

        ant_sleep(2 * ANT_MILLISECOND);

        ant_waitgroup_add(&woken, 1);
        CHECK_INT(ant_timer_start(&timer, 2 * ANT_MILLISECOND, done, NULL), 0);
        ant_waitgroup_wait(&woken);
    }
    return 0;
}

TEST(go_foreign_no_deadlock)
{
    return ant_run(run, NULL, NULL);
}
