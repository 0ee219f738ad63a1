/* life_not_resumed - when ant_run has returned no goroutine runs any more: not those that were in
 * user code when the main goroutine returned and come back into the runtime, by whichever door, nor
 * those that were parked, asleep or runnable. */
#include <errno.h>
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"

enum { DOORS = 17, ENDLESS = 15, EACH = 4 };

static atomic_bool returning, returned;
static atomic_long work;

static int null; /* a descriptor of /dev/null */
static ant_timer timers[DOORS * EACH];

static void nothing(void *arg)
{
}

/* Panicking alone is no door. */
static void panic(void *arg)
{
    ant_yield();
    ant_panic("on purpose");
}

static void dump(void)
{
    int err = ant_dump(null);

    /* Not within a second, on a busy machine; or the stop has begun. */
    CHECK(err == 0 || err == -EAGAIN || err == ANT_ENOTRUNNING);
}

static void restart(ant_timer *timer)
{
    CHECK_INT(ant_timer_start(timer, ANT_HOUR, nothing, NULL), 0);
    CHECK_INT(ant_timer_reset(timer, 2 * ANT_HOUR), 1);
    CHECK_INT(ant_timer_stop(timer), 1);
}

static void spin(int turns)
{
    for (volatile int i = 0; i < turns; i++) {
        CHECK(!atomic_load(&returned));
        atomic_fetch_add(&work, 1);
    }
}

static void enter_further(int me)
{
    switch (me % DOORS) {
    case 8:
        CHECK_INT(ant_go_opts(&(ant_go_options){.name = "n"}, nothing, NULL), 0);
        break;
    case 9:
        CHECK(ant_set_procs(1 + me / DOORS) > 0);
        break;
    case 10:
        if (me == 10) /* others only wait meanwhile, and the more of them the longer it takes */
            dump();
        else
            ant_yield();
        break;
    case 11:
        restart(&timers[me]);
        break;
    case 12:
        CHECK_INT(ant_go_copy(nothing, &me, sizeof me), 0);
        break;
    case 13:
        ant_blocking_begin();
        spin(100);
        ant_blocking_end();
        break;
    case 14:
        CHECK_INT(ant_try(panic, NULL, NULL), ANT_EPANIC);
        break;
    case ENDLESS:
        CHECK_INT(ant_go(nothing, NULL), 0);
        ant_exit();
    default:
        return; /* the function's end is a door too */
    }
}

/* The first half of the doors. */
static void enter(int me)
{
    ant_waitgroup wg = {0};
    ant_stats stats;

    switch (me % DOORS) {
    case 0:
        ant_yield();
        break;
    case 1:
        ant_sleep(ANT_MICROSECOND);
        break;
    case 2:
        CHECK_INT(ant_go(nothing, NULL), 0);
        break;
    case 3:
        ant_waitgroup_add(&wg, 1);
        ant_waitgroup_done(&wg);
        ant_waitgroup_wait(&wg);
        ant_yield();
        break;
    case 4:
        CHECK_INT(ant_lock_thread(), 0);
        CHECK_INT(ant_unlock_thread(), 0);
        break;
    case 5:
        CHECK(ant_count() > 0);
        break;
    case 6:
        CHECK_INT(ant_stats_get(&stats), 0);
        break;
    case 7:
        CHECK_INT(ant_timer_stop(&timers[me]), 0); /* of one that is not pending: no door */
        ant_yield();
        break;
    default:
        enter_further(me);
    }
}

static void goroutine(void *arg)
{
    int me = (int)(intptr_t)arg;

    for (int i = 0; i < (me % DOORS < ENDLESS ? INT32_MAX : 100); i++) {
        spin(100);
        enter(me);
        CHECK(!atomic_load(&returned));
        if (i % 8 == 7 && !atomic_load(&returning))
            ant_yield(); /* not all doors let others run */
    }
}

static int run(void *arg)
{
    double end = test_now() + 0.002 * (int)(intptr_t)arg;

    for (int i = 0; i < DOORS * EACH; i++)
        CHECK_INT(ant_go(goroutine, (void *)(intptr_t)i), 0);
    while (test_now() < end)
        ant_yield();
    atomic_store(&returning, true); /* from here on each has only its own door */
    return 0;
}

TEST(life_not_resumed)
{
    null = open("/dev/null", O_WRONLY | O_CLOEXEC);
    CHECK(null >= 0);
    for (int i = 0; i < test_scale_least(60, 30); i++) {
        long done;

        memset(timers, 0, sizeof timers); /* those that were pending are gone */
        atomic_store(&returning, false);
        atomic_store(&returned, false);
        CHECK_INT(ant_run(run, (void *)(intptr_t)(i % 10), NULL), 0);
        atomic_store(&returned, true);
        done = atomic_load(&work);
        usleep(1000);
        CHECK_INT(atomic_load(&work), done);
    }
    close(null);
    return 0;
}
