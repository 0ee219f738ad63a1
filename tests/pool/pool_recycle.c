/* pool_recycle - the records of workers that went are used again: those of workers that expired,
 * that were too many after tuning down, that went with a release, and that panicked. A submit then
 * needs no memory. With one P: what the others have to ask for, each for itself, would be in the
 * way. */
#include <limits.h>
#include <stdatomic.h>

#include "base/sys.h"
#include "one_p.h"
#include "pool_kinds.h"

enum { SIZE = 8, PANIC = -1 };

static const struct pool_kind *kind;
static void *pool;
static ant_waitgroup gate;
static atomic_int ran;

static void task(int i)
{
    atomic_fetch_add(&ran, 1);
    if (i == PANIC)
        ant_panic("on purpose");
    ant_waitgroup_wait(&gate);
}

static void ignore(const ant_panic_info *info, void *arg)
{
}

static int workers(void)
{
    return kind->pools * SIZE;
}

static void refuse_memory(bool all)
{
    ant__fail_times = all ? LONG_MAX : 0;
    ant__fail_after = all;
}

/* As many tasks as there are workers, at the same time. Returns how many were accepted. */
static int use_all(int what, bool without_memory)
{
    int accepted = 0;

    atomic_store(&ran, 0);
    ant_waitgroup_add(&gate, 1);
    refuse_memory(without_memory);
    for (int i = 0; i < workers(); i++)
        accepted += kind->submit(pool, what, PLAIN, NULL) == 0;
    refuse_memory(false);
    while (atomic_load(&ran) < accepted)
        ant_yield();
    ant_waitgroup_done(&gate);
    CHECK_INT(kind->wait(pool), 0);
    return accepted;
}

static void retune(void)
{
    CHECK_INT(kind->tune(pool, 1), 0);
    CHECK_INT(kind->running(pool), kind->pools);
    CHECK_INT(kind->tune(pool, SIZE), 0);
}

static void reboot(void)
{
    CHECK_INT(kind->release(pool), 0);
    CHECK_INT(kind->reboot(pool), 0);
    CHECK_INT(kind->running(pool), 0);
}

/* If our P was taken away meanwhile, some have gone before all tasks were given out, and a multi pool may
 * have given more of them to the pool that had lost one. */
static void panic(void)
{
    do
        CHECK_INT(use_all(PANIC, false), workers());
    while (kind->pools > 1 && kind->running(pool) > 0);
    CHECK_INT(kind->running(pool), 0);
}

static void check_way(void (*lose)(void))
{
    for (int i = 0; i < test_scale(50); i++) {
        CHECK_INT(use_all(0, false), workers());
        lose();
        CHECK_INT(use_all(0, true), workers());
    }
}

/* If none was put by for an expiry, all that are not needed are freed. Who is too slow to see it still there tries
 * again. */
static void check_expiry(void)
{
    ant_duration expiry = 10 * ANT_MILLISECOND;
    int accepted;

    do {
        const ant_pool_options options = {.expiry = expiry};

        CHECK_INT(kind->make(&pool, SIZE, &options), 0);
        CHECK_INT(use_all(0, false), workers());
        while (kind->running(pool) > 0)
            ant_yield();
        accepted = use_all(0, true);
        CHECK_INT(kind->destroy(pool), 0);
        expiry *= 2;
    } while (accepted < workers());
}

static int run(void *arg)
{
    const ant_pool_options options = {.expiry = ANT_HOUR, .panic_handler = ignore};

    for (int k = 0; k < KINDS; k++) {
        kind = &pool_kinds[k];
        CHECK_INT(kind->make(&pool, SIZE, &options), 0);
        check_way(retune);
        check_way(reboot);
        check_way(panic);
        CHECK_INT(kind->destroy(pool), 0);
        check_expiry();
    }
    return 0;
}

TEST(pool_recycle)
{
    return run_with_procs_1(run);
}
