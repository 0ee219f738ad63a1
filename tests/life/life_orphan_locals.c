/* life_orphan_locals - an orphan still has its goroutine-local values, its name and its number when
 * the next runtime has come and gone. */
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"

/* What belongs to an orphan is never freed. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
    return "detect_leaks=0";
}

static ant_local key;
static atomic_int stage;

static void orphan(void *arg)
{
    uint64_t id = ant_id();

    CHECK_INT(ant_local_set(key, arg), 0);
    atomic_store(&stage, 1);
    while (atomic_load(&stage) < 2)
        continue;
    CHECK(ant_local_get(key) == arg);
    CHECK_INT(ant_id(), id);
    CHECK_INT(ant_local_set(key, &key), 0);
    CHECK(ant_local_get(key) == &key);
    atomic_store(&stage, 3);
}

static int leave_orphan(void *arg)
{
    CHECK_INT(ant_go(orphan, arg), 0);
    while (atomic_load(&stage) == 0)
        ant_yield();
    return 0;
}

static void with_local(void *wg)
{
    CHECK_INT(ant_local_set(key, wg), 0);
    ant_waitgroup_done(wg);
    ant_sleep(ANT_HOUR);
}

static int another(void *arg)
{
    ant_waitgroup wg = {0};

    ant_waitgroup_add(&wg, 10);
    for (int i = 0; i < 10; i++)
        CHECK_INT(ant_go(with_local, &wg), 0);
    ant_waitgroup_wait(&wg);
    return 0;
}

TEST(life_orphan_locals)
{
    const ant_config config = {.procs = 2, .stop_timeout = ANT_MILLISECOND};

    CHECK_INT(unsetenv("ANTHILL"), 0);
    CHECK_INT(ant_local_new(&key, NULL), 0);
    for (int i = 0; i < 5; i++) {
        atomic_store(&stage, 0);
        CHECK_INT(ant_run(leave_orphan, &stage, &config), 0);
        CHECK_INT(ant_run(another, NULL, NULL), 0);
        atomic_store(&stage, 2);
        while (atomic_load(&stage) < 3)
            usleep(100);
    }
    return 0;
}
