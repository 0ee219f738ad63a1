/* api_lock_thread - a tied goroutine stays on its thread through every kind of suspension, nobody
 * else runs there, and as many unlocks as locks set it free. */
#include <errno.h>
#include <pthread.h>

#include <anthill.h>

#include "check.h"

enum { TIED = 4, FREE = 30 };

static __thread uint64_t tied_here; /* the goroutine that owns this thread; read by noinline code */
static ant_waitgroup wg;

static __attribute__((noinline)) uint64_t owner(void)
{
    __asm__ volatile("" ::: "memory");
    return tied_here;
}

static __attribute__((noinline)) void own(uint64_t id)
{
    __asm__ volatile("" ::: "memory");
    tied_here = id;
}

static __attribute__((noinline)) pthread_t self(void)
{
    __asm__ volatile("" ::: "memory");
    return pthread_self();
}

static void release(void *one)
{
    ant_waitgroup_done(one);
}

static void suspend(int how)
{
    switch (how % 3) {
    case 0:
        ant_yield();
        break;
    case 1:
        ant_sleep(10 * ANT_MICROSECOND);
        break;
    case 2: {
        ant_waitgroup one = {0};

        ant_waitgroup_add(&one, 1);
        CHECK_INT(ant_go(release, &one), 0);
        ant_waitgroup_wait(&one);
    }
    }
}

static void tied(void *arg)
{
    int rounds = test_scale(2000);
    pthread_t thread;

    CHECK_INT(ant_unlock_thread(), -EPERM);
    for (int part = 0; part < 3; part++) {
        CHECK_INT(ant_lock_thread(), 0);
        CHECK_INT(ant_lock_thread(), 0);
        CHECK_INT(ant_unlock_thread(), 0); /* one lock is left */
        thread = self();
        own(ant_id());
        for (int i = 0; i < rounds / 3; i++) {
            suspend(i);
            CHECK(pthread_equal(self(), thread));
            CHECK_INT(owner(), ant_id());
        }
        own(0);
        CHECK_INT(ant_unlock_thread(), 0);
        CHECK_INT(ant_unlock_thread(), -EPERM);
        suspend(part);
    }
    ant_waitgroup_done(&wg);
}

static void free_one(void *arg)
{
    for (int i = 0; i < test_scale(3000); i++) {
        CHECK_INT(owner(), 0);
        suspend(i);
    }
    ant_waitgroup_done(&wg);
}

static int run(void *arg)
{
    ant_waitgroup_add(&wg, TIED + FREE);
    for (int i = 0; i < TIED; i++)
        CHECK_INT(ant_go(tied, NULL), 0);
    for (int i = 0; i < FREE; i++)
        CHECK_INT(ant_go(free_one, NULL), 0);
    ant_waitgroup_wait(&wg);
    return 0;
}

TEST(api_lock_thread)
{
    CHECK_INT(ant_run(run, NULL, NULL), 0);
    return 0;
}
