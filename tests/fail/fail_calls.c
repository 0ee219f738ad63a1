/* fail_calls - out of memory, call by call: an error to the caller, nothing half done, and once
 * there is memory again everything works. */
#include <errno.h>
#include <limits.h>
#include <stdatomic.h>

#include <anthill.h>

#include "base/sys.h"
#include "check.h"
#include "runtime/runtime.h"

static atomic_int ran, destroyed;
static ant_local key;
static ant_timer timer;

static void refuse(bool on)
{
    ant__fail_times = on ? LONG_MAX : 0;
    ant__fail_after = on ? 1 : 0;
}

static void count(void *arg)
{
    atomic_fetch_add(&ran, 1);
}

static void count_destroyed(void *arg)
{
    atomic_fetch_add(&destroyed, 1);
}

/* Calls until there is no room left for another; returns how many succeeded. */
static int exhaust(int kind)
{
    static char bytes[1000];

    for (int n = 0;; n++) {
        int err = kind == 0   ? ant_go(count, NULL)
                  : kind == 1 ? ant_go_copy(count, bytes, 8)
                  : kind == 2 ? ant_go_copy(count, bytes, sizeof bytes)
                              : ant_go_opts(&(ant_go_options){.name = "n"}, count, NULL);

        if (err) {
            CHECK_INT(err, -ENOMEM);
            return n;
        }
        CHECK(n < 1000000);
    }
}

static void check_go(int kind)
{
    int made, before = atomic_load(&ran);

    refuse(true);
    made = exhaust(kind);
    CHECK_INT(ant_go(NULL, NULL), -EINVAL);
    refuse(false);
    while (atomic_load(&ran) < before + made)
        ant_yield();
    CHECK_INT(ant_go(count, NULL), 0);
    while (atomic_load(&ran) < before + made + 1)
        ant_yield();
    CHECK_INT(atomic_load(&ran), before + made + 1);
}

static void set_local(void *arg)
{
    refuse(true);
    CHECK_INT(ant_local_set(key, &key), -ENOMEM);
    CHECK(!ant_local_get(key));
    refuse(false);
    CHECK_INT(ant_local_set(key, &key), 0);
    CHECK(ant_local_get(key) == &key);
    count(NULL);
}

static void check_locals(void)
{
    int before = atomic_load(&ran);

    CHECK_INT(ant_go(set_local, NULL), 0);
    while (atomic_load(&destroyed) == 0)
        ant_yield();
    CHECK_INT(atomic_load(&ran), before + 1);
}

static void check_procs(void)
{
    int before = ant_procs();

    refuse(true);
    CHECK_INT(ant_set_procs(before + 10), -ENOMEM);
    CHECK_INT(ant_procs(), before);
    refuse(false);
    ant__fail_times = 1;
    ant__fail_after = 5; /* some can be made, but not all */
    CHECK_INT(ant_set_procs(before + 10), -ENOMEM);
    CHECK_INT(ant_procs(), before);
    refuse(false);
    CHECK_INT(ant_set_procs(before + 10), before);
    CHECK_INT(ant_procs(), before + 10);
    CHECK_INT(ant_set_procs(before), before + 10);
}

/* A timer that finds no memory for its goroutine fires later. */
static void check_timer(void)
{
    int made, before = atomic_load(&ran);

    refuse(true);
    CHECK_INT(ant_timer_start(&timer, ANT_MILLISECOND, count, NULL), 0);
    made = exhaust(0); /* nothing is left for it: those that were made have not run yet */
    for (double end = test_now() + 0.01; test_now() < end;)
        continue;
    refuse(false);
    while (atomic_load(&ran) < before + made + 1)
        ant_sleep(ANT_MILLISECOND);
    CHECK_INT(atomic_load(&ran), before + made + 1);
    CHECK_INT(ant_timer_stop(&timer), 0);
}

static int run(void *arg)
{
    ant_sleep(ANT_MILLISECOND);
    check_locals();
    check_procs();
    for (int kind = 0; kind < 4; kind++)
        check_go(kind);
    check_timer();
    return 0;
}

TEST(fail_calls)
{
    CHECK_INT(unsetenv("ANTHILL"), 0);
    ant__slice = ANT_HOUR; /* main runs alone for as long as it wants */
    CHECK_INT(ant_local_new(&key, count_destroyed), 0);
    CHECK_INT(ant_run(run, NULL, &(ant_config){.procs = 1}), 0); /* so that nobody else asks */
    return 0;
}
