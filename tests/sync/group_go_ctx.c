/* group_go_ctx - starting with a context: fails if that is done before, also if there is room;
 * gives up waiting for room when it is canceled or its time is over, and takes no slot then; else
 * it starts. Among these the context of the group itself. */
#include <pthread.h>
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"

static ant_group group;
static ant_waitgroup gate, wg;
static atomic_int ran;

static int wait_at_gate(void *arg)
{
    ant_waitgroup_wait(&gate);
    atomic_fetch_add(&ran, 1);
    return 0;
}

static int fail(void *arg)
{
    ant_waitgroup_wait(&gate);
    return -7;
}

static void start_or_give_up(void *ctx)
{
    CHECK_INT(ant_group_go_ctx(&group, wait_at_gate, NULL, ctx), ANT_ECANCELED);
    ant_waitgroup_done(&wg);
}

static void *start_in_thread(void *ctx)
{
    start_or_give_up(ctx);
    return NULL;
}

static void done_before(int limit)
{
    ant_ctx *canceled, *late;

    CHECK_INT(ant_group_set_limit(&group, limit), 0);
    CHECK_INT(ant_ctx_with_cancel(&canceled, NULL), 0);
    CHECK_INT(ant_group_go_ctx(&group, wait_at_gate, NULL, canceled), 0);
    ant_ctx_cancel(canceled);
    CHECK_INT(ant_group_go_ctx(&group, wait_at_gate, NULL, canceled), ANT_ECANCELED);
    CHECK_INT(ant_ctx_with_timeout(&late, NULL, 0), 0);
    CHECK_INT(ant_group_go_ctx(&group, wait_at_gate, NULL, late), ANT_ETIMEOUT);
    CHECK_INT(ant_group_wait(&group), 0);
    CHECK_INT(atomic_load(&ran), 1);
    atomic_store(&ran, 0);
    ant_ctx_unref(canceled);
    ant_ctx_unref(late);
}

static void given_up(void)
{
    ant_ctx *canceled, *late;
    pthread_t t;

    CHECK_INT(ant_group_set_limit(&group, 1), 0);
    CHECK_INT(ant_ctx_with_cancel(&canceled, NULL), 0);
    CHECK_INT(ant_ctx_with_timeout(&late, NULL, 100 * ANT_MICROSECOND), 0);
    ant_waitgroup_add(&gate, 1);
    CHECK_INT(ant_group_go_ctx(&group, wait_at_gate, NULL, NULL), 0);
    CHECK_INT(ant_group_go_ctx(&group, wait_at_gate, NULL, late), ANT_ETIMEOUT);
    ant_waitgroup_add(&wg, 2);
    CHECK_INT(ant_go(start_or_give_up, canceled), 0);
    CHECK_INT(pthread_create(&t, NULL, start_in_thread, canceled), 0);
    for (int i = 0; i < 20; i++)
        ant_yield();
    ant_ctx_cancel(canceled);
    ant_waitgroup_wait(&wg);
    CHECK_INT(pthread_join(t, NULL), 0);
    ant_waitgroup_done(&gate);
    CHECK_INT(ant_group_wait(&group), 0);
    CHECK_INT(atomic_load(&ran), 1);
    atomic_store(&ran, 0);
    CHECK_INT(ant_group_try_go(&group, wait_at_gate, NULL), 0); /* the slot is free */
    CHECK_INT(ant_group_wait(&group), 0);
    atomic_store(&ran, 0);
    ant_ctx_unref(canceled);
    ant_ctx_unref(late);
}

static void open_gate(void *arg)
{
    ant_waitgroup_done(&gate);
}

/* The group fails while one waits for room: it does not start, or in the room of the failed. */
static void group_fails(int i)
{
    ant_group failing;
    ant_ctx *ctx;
    int err;

    CHECK_INT(ant_group_init_ctx(&failing, &ctx, NULL), 0);
    CHECK_INT(ant_group_set_limit(&failing, 1), 0);
    ant_waitgroup_add(&gate, 1);
    CHECK_INT(ant_group_go_ctx(&failing, fail, NULL, ctx), 0);
    if (i % 2)
        ant_yield();
    CHECK_INT(ant_go(open_gate, NULL), 0);
    err = ant_group_go_ctx(&failing, wait_at_gate, NULL, ctx);
    CHECK(err == ANT_ECANCELED || err == 0);
    CHECK_INT(ant_group_wait(&failing), -7);
    CHECK_INT(atomic_load(&ran), err == 0);
    atomic_store(&ran, 0);
}

static int run(void *arg)
{
    for (int i = 0; i < test_scale(100); i++) {
        done_before(-1);
        done_before(2);
        given_up();
        for (int k = 0; k < 20; k++)
            group_fails(k);
    }
    return 0;
}

TEST(group_go_ctx)
{
    return ant_run(run, NULL, NULL);
}
