/* waitgroup_ctx_hammer - while some wait with random timeouts or none, others bring the counter to
 * zero, over and over: a wait that succeeds does not do so before, all of those that do not give up
 * are woken, and the group may go when all have returned. ASan sees what is touched after free. */
#include <pthread.h>
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"

enum { WAITERS = 6, DONERS = 3 };

struct round {
    ant_waitgroup group;
    atomic_int left, users;
};

static ant_waitgroup freed;
static _Atomic(struct round *) for_thread;
static atomic_bool stop;

static unsigned next(unsigned *seed)
{
    *seed = *seed * 1664525 + 1013904223;
    return *seed >> 16;
}

static void drop(struct round *r)
{
    if (atomic_fetch_sub(&r->users, 1) > 1)
        return;
    memset(r, 0x5a, sizeof *r);
    __asm__ volatile("" ::"r"(r) : "memory");
    free(r);
    ant_waitgroup_done(&freed);
}

static void wait_for_a_while(struct round *r, ant_duration d)
{
    ant_ctx *ctx;
    int err;

    CHECK_INT(ant_ctx_with_timeout(&ctx, NULL, d), 0);
    err = ant_waitgroup_wait_ctx(&r->group, ctx);
    CHECK_INT(err, err ? ANT_ETIMEOUT : 0);
    if (!err)
        CHECK_INT(atomic_load(&r->left), 0);
    ant_ctx_unref(ctx);
}

static void waiter(void *arg)
{
    struct round *r = arg;

    ant_waitgroup_wait(&r->group);
    CHECK_INT(atomic_load(&r->left), 0);
    drop(r);
}

static void hasty(void *arg)
{
    static atomic_uint seed;
    unsigned mine = atomic_fetch_add(&seed, 77);

    wait_for_a_while(arg, next(&mine) % 40 * ANT_MICROSECOND);
    drop(arg);
}

static void doner(void *arg)
{
    struct round *r = arg;

    ant_yield();
    atomic_fetch_sub(&r->left, 1);
    ant_waitgroup_done(&r->group); /* the last that it does to it */
}

static void *helper(void *arg)
{
    for (int i = 0; !atomic_load(&stop); i++) {
        struct round *r = atomic_exchange(&for_thread, NULL);

        if (r && i % 2)
            waiter(r);
        else if (r)
            hasty(r);
        else
            ant_yield();
    }
    return NULL;
}

static void play(int i)
{
    struct round *none = NULL, *r = calloc(1, sizeof *r);

    CHECK(r);
    atomic_store(&r->left, DONERS);
    atomic_store(&r->users, WAITERS);
    ant_waitgroup_add(&r->group, DONERS);
    ant_waitgroup_add(&freed, 1);
    for (int k = 1; k < WAITERS; k++) {
        CHECK_INT(ant_go(k % 2 ? waiter : hasty, r), 0);
        if (k <= DONERS)
            CHECK_INT(ant_go(doner, r), 0);
        if (i % (k + 1) == 0)
            ant_yield();
    }
    if (!atomic_compare_exchange_strong(&for_thread, &none, r))
        CHECK_INT(ant_go(waiter, r), 0);
    if (i % 4 == 0)
        ant_waitgroup_wait(&freed);
}

static int run(void *arg)
{
    pthread_t t;

    CHECK_INT(pthread_create(&t, NULL, helper, NULL), 0);
    for (int i = 0; i < test_scale(10000); i++)
        play(i);
    ant_waitgroup_wait(&freed);
    atomic_store(&stop, true);
    CHECK_INT(pthread_join(t, NULL), 0);
    return 0;
}

TEST(waitgroup_ctx_hammer)
{
    return ant_run(run, NULL, NULL);
}
