/* api_not_running - what every function says before the first start, and again after a stop. */
#include <errno.h>

#include <anthill.h>

#include "check.h"

static void nothing(void *arg)
{
}

static int return_seven(void *arg)
{
    return 7;
}

static void check_errors(ant_timer *stopped)
{
    static ant_timer timer;
    ant_stats stats;
    int value = 1;

    CHECK_INT(ant_go(nothing, NULL), ANT_ENOTRUNNING);
    CHECK_INT(ant_go(NULL, NULL), -EINVAL);
    CHECK_INT(ant_go_copy(nothing, &value, sizeof value), ANT_ENOTRUNNING);
    CHECK_INT(ant_go_copy(NULL, &value, sizeof value), -EINVAL);
    CHECK_INT(ant_go_opts(NULL, nothing, NULL), ANT_ENOTRUNNING);
    CHECK_INT(ant_go_opts(&(ant_go_options){.name = "x"}, nothing, NULL), ANT_ENOTRUNNING);
    CHECK_INT(ant_stop(), ANT_ENOTRUNNING);
    CHECK_INT(ant_set_procs(2), ANT_ENOTRUNNING);
    CHECK_INT(ant_dump(STDERR_FILENO), ANT_ENOTRUNNING);
    CHECK_INT(ant_stats_get(&stats), ANT_ENOTRUNNING);
    CHECK_INT(ant_stats_get(NULL), -EINVAL);
    CHECK_INT(ant_lock_thread(), ANT_ENOTGOROUTINE);
    CHECK_INT(ant_own_fenv(true), ANT_ENOTGOROUTINE);
    CHECK_INT(ant_unlock_thread(), ANT_ENOTGOROUTINE);

    CHECK_INT(ant_timer_start(&timer, 0, nothing, NULL), ANT_ENOTRUNNING);
    CHECK_INT(ant_timer_stop(&timer), 0);
    CHECK_INT(ant_timer_reset(&(ant_timer){{0}}, 0), -EINVAL); /* never started */
    if (stopped) {
        CHECK_INT(ant_timer_reset(stopped, 0), ANT_ENOTRUNNING);
        CHECK_INT(ant_timer_stop(stopped), 0);
    }

    CHECK_INT(ant_count(), 0);
    CHECK_INT(ant_procs(), 0);
    CHECK_INT(ant_id(), 0);
}

/* What needs no runtime works without one. */
static void check_independent(void)
{
    ant_waitgroup wg = {0};
    ant_local key;

    CHECK(ant_now() > 0);
    ant_yield();
    ant_sleep(-1);
    ant_sleep(0);
    ant_sleep(1);
    ant_waitgroup_wait(&wg);
    ant_waitgroup_add(&wg, 1);
    ant_waitgroup_done(&wg);
    ant_waitgroup_wait(&wg);
    CHECK_INT(ant_local_new(&key, NULL), 0);
    CHECK_INT(ant_local_set(key, &key), ANT_ENOTGOROUTINE);
    CHECK(!ant_local_get(key));
    CHECK_INT(ant_local_free(key), 0);
    CHECK_INT(ant_try(nothing, NULL, NULL), 0);
    CHECK_STR(ant_version(), "0.1.0");
}

int main(void)
{
    static ant_timer pending, done;

    check_errors(NULL);
    check_independent();

    CHECK_INT(ant_start(NULL), 0);
    CHECK_INT(ant_timer_start(&pending, ANT_HOUR, nothing, NULL), 0);
    CHECK_INT(ant_timer_start(&done, ANT_HOUR, nothing, NULL), 0);
    CHECK_INT(ant_timer_stop(&done), 1);
    CHECK_INT(ant_stop(), 0);
    check_errors(&done);
    check_errors(&pending);
    check_independent();

    CHECK_INT(ant_run(return_seven, NULL, NULL), 7);
    check_errors(&done);
    check_errors(&pending);
    check_independent();
    return 0;
}
