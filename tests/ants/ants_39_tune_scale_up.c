/* ants_39_tune_scale_up - row 39: a pool that is full grows when its capacity is raised, by one or
 * by several; those that wait get the new workers without another call. */
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"
#include "run_both.h"

static ant_chan *c;

static void receive(int unused)
{
    CHECK(ant_chan_recv(c, NULL));
}

static void receive_now(void *arg)
{
    receive(0);
}

ANT_FUNC_POOL_DEFINE(recv_pool, int);

static int invoke_copy(const recv_pool *pool, int n)
{
    return ant_func_pool_invoke(recv_pool_any(pool), &n);
}

struct pools {
    ant_pool *plain; /* or NULL, and then: */
    recv_pool func;
    int (*invoke)(const recv_pool *, int);
    ant_waitgroup submitters;
};

static void submit_one(struct pools *p)
{
    CHECK_INT(p->plain ? ant_pool_submit(p->plain, receive_now, NULL) : p->invoke(&p->func, 0), 0);
}

static void submit_and_tell(void *arg)
{
    struct pools *p = arg;

    submit_one(p);
    ant_waitgroup_done(&p->submitters);
}

static int waiting(struct pools *p)
{
    return p->plain ? ant_pool_waiting(p->plain) : ant_func_pool_waiting(p->func.pool);
}

/* All that run are receiving. */
static void check_full(struct pools *p, int n)
{
    CHECK_INT(p->plain ? ant_pool_running(p->plain) : ant_func_pool_running(p->func.pool), n);
    CHECK_INT(p->plain ? ant_pool_cap(p->plain) : ant_func_pool_cap(p->func.pool), n);
    CHECK_INT(p->plain ? ant_pool_free(p->plain) : ant_func_pool_free(p->func.pool), 0);
    CHECK_INT(waiting(p), 0);
}

static void tune(struct pools *p, int n)
{
    CHECK_INT(p->plain ? ant_pool_tune(p->plain, n) : ant_func_pool_tune(p->func.pool, n), 0);
}

static void start_submitters(struct pools *p, int n)
{
    ant_waitgroup_add(&p->submitters, n);
    for (int i = 0; i < n; i++)
        CHECK_INT(ant_go(submit_and_tell, p), 0);
    while (waiting(p) < n)
        ant_sleep(ANT_MILLISECOND);
}

static void grow(struct pools *p)
{
    submit_one(p);
    submit_one(p);
    check_full(p, 2);
    tune(p, 3);
    submit_one(p);
    check_full(p, 3);

    start_submitters(p, 5);
    tune(p, 8);
    ant_waitgroup_wait(&p->submitters);
    check_full(p, 8);

    start_submitters(p, 1);
    tune(p, 9);
    ant_waitgroup_wait(&p->submitters);
    check_full(p, 9);

    for (int i = 0; i < 9; i++)
        ant_chan_send(c, NULL);
    CHECK_INT(p->plain ? ant_pool_release(p->plain) : ant_func_pool_release(p->func.pool), 0);
    CHECK_INT(p->plain ? ant_pool_destroy(p->plain) : recv_pool_destroy(&p->func), 0);
}

static int run(void *arg)
{
    struct pools p = {0};

    CHECK_INT(ant_chan_new(&c, 0, 0), 0);
    CHECK_INT(ant_pool_new(&p.plain, 2, NULL), 0);
    grow(&p);

    p = (struct pools){.invoke = invoke_copy};
    CHECK_INT(ant_func_pool_new(&p.func.pool, 2, receive_now, sizeof(int), NULL), 0);
    grow(&p);

    p = (struct pools){.invoke = recv_pool_invoke};
    CHECK_INT(recv_pool_new(&p.func, 2, receive, NULL), 0);
    grow(&p);
    CHECK_INT(ant_chan_destroy(c), 0);
    return 0;
}

TEST(ants_39_tune_scale_up)
{
    return run_both(run);
}
