/* life_stop_after_none - when the last thread has ended with its tied goroutine and a new one was
 * made, the stop still waits for what is in user code, as long as it was told to. */
#include <stdatomic.h>
#include <time.h>

#include <anthill.h>

#include "check.h"

static ant_waitgroup wg;
static atomic_bool in_user_code, left_user_code;

static void end_tied(void *arg)
{
    CHECK_INT(ant_lock_thread(), 0);
    ant_waitgroup_done(&wg);
}

static void work(void *arg)
{
    atomic_store(&in_user_code, true);
    usleep(200000);
    atomic_store(&left_user_code, true);
}

int main(void)
{
    ant_stats stats;

    CHECK_INT(ant_start(&(ant_config){.procs = 1, .stop_timeout = ANT_MINUTE}), 0);
    ant_waitgroup_add(&wg, 1);
    CHECK_INT(ant_go(end_tied, NULL), 0);
    ant_waitgroup_wait(&wg);
    do
        CHECK_INT(ant_stats_get(&stats), 0);
    while (stats.threads > 0);
    CHECK_INT(ant_go(work, NULL), 0);
    while (!atomic_load(&in_user_code))
        usleep(1000);
    CHECK_INT(ant_stop(), 0);
    CHECK(atomic_load(&left_user_code));
    return 0;
}
