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

/* Each tied goroutine takes its thread along. There may be another one, made because the first got
 * no CPU for a while: so until none is left. */
static void end_all_threads(void)
{
    ant_stats stats;

    do {
        ant_waitgroup_add(&wg, 1);
        CHECK_INT(ant_go(end_tied, NULL), 0);
        ant_waitgroup_wait(&wg);
        for (int i = 0; i < 100; i++) {
            CHECK_INT(ant_stats_get(&stats), 0);
            if (stats.threads == 0)
                return;
            usleep(1000);
        }
    } while (true);
}

TEST(life_stop_after_none)
{
    CHECK_INT(unsetenv("ANTHILL"), 0);
    CHECK_INT(ant_start(&(ant_config){.procs = 1, .stop_timeout = ANT_MINUTE}), 0);
    end_all_threads();
    CHECK_INT(ant_go(work, NULL), 0);
    while (!atomic_load(&in_user_code))
        usleep(1000);
    CHECK_INT(ant_stop(), 0);
    CHECK(atomic_load(&left_user_code));
    return 0;
}
