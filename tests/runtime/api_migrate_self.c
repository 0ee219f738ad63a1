/* api_migrate_self - who am I, after moving to another thread: ant_id, goroutine-local values and
 * the try frame are those of the goroutine, in functions that hold everything they can in
 * registers. The test makes sure that goroutines did move. */
#include <pthread.h>
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"

enum { GOROUTINES = 64 };

static ant_local key;
static ant_waitgroup all;
static atomic_int moved;

static __attribute__((noinline)) pthread_t self(void)
{
    __asm__ volatile("" ::: "memory");
    return pthread_self();
}

static void panic_after_moving(void *arg)
{
    ant_yield();
    CHECK(ant_local_get(key) == arg);
    ant_sleep(ANT_MICROSECOND);
    ant_panic("%p", arg);
}

static void goroutine(void *arg)
{
    uint64_t id = ant_id();
    pthread_t before = self();
    char expected[32];

    snprintf(expected, sizeof expected, "%p", arg);
    CHECK_INT(ant_local_set(key, arg), 0);
    for (int i = 0; i < test_scale(300); i++) {
        ant_panic_info info;

        CHECK_INT(ant_id(), id);
        ant_yield();
        CHECK_INT(ant_id(), id);
        CHECK(ant_local_get(key) == arg);
        ant_sleep(ANT_MICROSECOND);
        CHECK_INT(ant_id(), id);
        CHECK(ant_local_get(key) == arg);
        CHECK_INT(ant_try(panic_after_moving, arg, &info), ANT_EPANIC);
        CHECK_STR(info.message, expected);
        CHECK_INT(info.goroutine, id);
        if (!pthread_equal(before, self()))
            atomic_fetch_add(&moved, 1);
        before = self();
    }
    ant_waitgroup_done(&all);
}

static int run(void *arg)
{
    /* On a busy machine one thread may do it all for a while. */
    while (atomic_load(&moved) == 0) {
        ant_waitgroup_add(&all, GOROUTINES);
        for (int i = 0; i < GOROUTINES; i++)
            CHECK_INT(ant_go(goroutine, (char *)run + i), 0);
        ant_waitgroup_wait(&all);
        if (ant_procs() == 1)
            break;
    }
    return 0;
}

TEST(api_migrate_self)
{
    CHECK_INT(ant_local_new(&key, NULL), 0);
    CHECK_INT(ant_run(run, NULL, NULL), 0);
    return 0;
}
