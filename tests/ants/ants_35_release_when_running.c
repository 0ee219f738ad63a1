/* ants_35_release_when_running - rows 35 to 37: two submitters keep a pool of one worker busy when
 * it is released. Both return: from then on they are turned away; and what was accepted has run. */
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"
#include "run_both.h"

enum { TASKS = 30 };

static atomic_int ran, accepted;

static void nap(int id)
{
    ant_sleep(5 * ANT_MILLISECOND);
    atomic_fetch_add(&ran, 1);
}

static void nap_now(void *arg)
{
    nap(0);
}

static void nap_by_copy(void *arg)
{
    nap(*(int *)arg);
}

ANT_FUNC_POOL_DEFINE(nap_pool, int);

static int invoke_copy(const nap_pool *pool, int id)
{
    return ant_func_pool_invoke(nap_pool_any(pool), &id);
}

struct pools {
    ant_pool *plain; /* or NULL, and then: */
    nap_pool func;
    int (*invoke)(const nap_pool *, int);
    ant_waitgroup submitters;
};

static int submit_one(struct pools *p, int id)
{
    return p->plain ? ant_pool_submit(p->plain, nap_now, NULL) : p->invoke(&p->func, id);
}

/* Once it was turned away, it always is. */
static void submit_all(void *arg)
{
    struct pools *p = arg;
    int last = 0;

    for (int i = 0; i < TASKS; i++) {
        int err = submit_one(p, i);

        CHECK(err == ANT_ECLOSED || (err == 0 && last == 0));
        atomic_fetch_add(&accepted, err == 0);
        last = err;
    }
    ant_waitgroup_done(&p->submitters);
}

static void release_meanwhile(struct pools *p)
{
    ant_waitgroup_add(&p->submitters, 2);
    CHECK_INT(ant_go(submit_all, p), 0);
    CHECK_INT(ant_go(submit_all, p), 0);
    ant_sleep(20 * ANT_MILLISECOND);
    CHECK_INT(p->plain ? ant_pool_release(p->plain) : ant_func_pool_release(p->func.pool), 0);
    ant_waitgroup_wait(&p->submitters);
    CHECK_INT(submit_one(p, TASKS), ANT_ECLOSED);
    CHECK_INT(p->plain ? ant_pool_destroy(p->plain) : nap_pool_destroy(&p->func), 0);
    CHECK_INT(atomic_exchange(&ran, 0), atomic_exchange(&accepted, 0));
}

static int run(void *arg)
{
    struct pools p = {0};

    CHECK_INT(ant_pool_new(&p.plain, 1, NULL), 0);
    release_meanwhile(&p);

    p = (struct pools){.invoke = invoke_copy};
    CHECK_INT(ant_func_pool_new(&p.func.pool, 1, nap_by_copy, sizeof(int), NULL), 0);
    release_meanwhile(&p);

    p = (struct pools){.invoke = nap_pool_invoke};
    CHECK_INT(nap_pool_new(&p.func, 1, nap, NULL), 0);
    release_meanwhile(&p);
    return 0;
}

TEST(ants_35_release_when_running)
{
    return run_both(run);
}
