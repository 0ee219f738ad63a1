/* life_orphan - a goroutine that computes for ever does not keep the runtime from stopping: ant_run
 * returns after the time that was set, ant_stop says ANT_ETIMEOUT, a new runtime works while the
 * orphan still computes, and when the orphan enters the runtime its thread ends. */
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"

/* What belongs to an orphan is never freed. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
    return "detect_leaks=0";
}

static atomic_bool go_on, resumed;
static atomic_int spinning;
static atomic_long turns;

static void spin(void *enter)
{
    atomic_fetch_add(&spinning, 1);
    while (!atomic_load(&go_on))
        atomic_fetch_add(&turns, 1);
    atomic_fetch_sub(&spinning, 1);
    if (!enter)
        return; /* the end of its function is an entry too */
    ant_yield();
    atomic_store(&resumed, true);
}

static int leave_orphan(void *enter)
{
    CHECK_INT(ant_go(spin, enter), 0);
    while (atomic_load(&spinning) == 0)
        ant_yield();
    return 5;
}

static void work(void *wg)
{
    ant_sleep(ANT_MICROSECOND);
    ant_yield();
    ant_waitgroup_done(wg);
}

static int work_all(void *arg)
{
    ant_waitgroup wg = {0};

    ant_waitgroup_add(&wg, 1000);
    for (int i = 0; i < 1000; i++)
        CHECK_INT(ant_go(work, &wg), 0);
    ant_waitgroup_wait(&wg);
    return 6;
}

/* The orphan of the former run is still at it. */
static void check_still_spins(void)
{
    long before = atomic_load(&turns);

    CHECK_INT(atomic_load(&spinning), 1);
    while (atomic_load(&turns) == before)
        usleep(100);
}

/* Its thread ends; its memory stays, as documented. */
static void set_free(struct test_resources before, int more_threads)
{
    before.threads += more_threads;
    atomic_store(&go_on, true);
    while (atomic_load(&spinning) > 0)
        usleep(1000);
    test_resources_check(&before, 10000);
    CHECK(!atomic_load(&resumed));
    atomic_store(&go_on, false);
}

TEST(life_orphan)
{
    const ant_config config = {.procs = 2, .stop_timeout = 20 * ANT_MILLISECOND};
    const ant_config patient = {.procs = 2, .stop_timeout = ANT_MINUTE};
    struct test_resources before;
    double started;

    CHECK_INT(unsetenv("ANTHILL"), 0);
    CHECK_INT(ant_run(work_all, NULL, NULL), 6); /* warm up */
    before = test_resources_now();
    for (int i = 0; i < test_scale(20); i++) {
        void *enter = i % 2 ? &resumed : NULL;

        started = test_now();
        CHECK_INT(ant_run(leave_orphan, enter, &config), 5);
        CHECK(test_now() - started >= 0.02);
        check_still_spins();
        CHECK_INT(ant_run(work_all, NULL, &patient), 6);
        check_still_spins();
        set_free(before, 0);

        CHECK_INT(ant_start(&config), 0);
        CHECK_INT(ant_go(spin, enter), 0);
        while (atomic_load(&spinning) == 0)
            usleep(100);
        CHECK_INT(ant_stop(), ANT_ETIMEOUT);
        check_still_spins();
        CHECK_INT(ant_start(&patient), 0);
        check_still_spins();
        set_free(before, 4); /* while another runtime runs */
        CHECK_INT(ant_stop(), 0);
    }
    return 0;
}
