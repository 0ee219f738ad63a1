/* ctx_make_race - while one cancels a context, others make children of it, and children of these,
 * of all kinds: when all have returned, every child is done. */
#include <pthread.h>
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"

enum { MAKERS = 3, CHILDREN = 6 };

static const char key;
static ant_waitgroup wg;
static ant_ctx *parent;
static ant_ctx *made[MAKERS][CHILDREN];

static struct {
    _Atomic(ant_ctx **) make; /* for the thread: where to put the children */
    _Atomic(ant_ctx *) cancel;
    atomic_bool stop;
} errands;

static void make_children(void *arg)
{
    ant_ctx **c = arg;

    CHECK_INT(ant_ctx_with_cancel(&c[0], parent), 0);
    CHECK_INT(ant_ctx_with_timeout(&c[1], parent, ANT_HOUR), 0);
    CHECK_INT(ant_ctx_with_value(&c[2], c[0], &key, NULL), 0);
    CHECK_INT(ant_ctx_with_cancel(&c[3], c[2]), 0);
    CHECK_INT(ant_ctx_with_timeout(&c[4], c[1], ANT_MINUTE), 0);
    CHECK_INT(ant_ctx_with_cancel(&c[5], c[4]), 0);
    ant_waitgroup_done(&wg);
}

static void cancel_parent(void *arg)
{
    ant_ctx_cancel(parent);
    ant_waitgroup_done(&wg);
}

static void *helper(void *arg)
{
    while (!atomic_load(&errands.stop)) {
        ant_ctx **where = atomic_exchange(&errands.make, NULL);
        ant_ctx *ctx = atomic_exchange(&errands.cancel, NULL);

        if (where)
            make_children(where);
        if (ctx)
            cancel_parent(ctx);
        ant_yield();
    }
    return NULL;
}

static void check_and_drop(int i)
{
    for (int m = 0; m < MAKERS; m++) {
        for (int c = 0; c < CHILDREN; c++) {
            int at = i % 2 ? c : CHILDREN - 1 - c;

            CHECK_INT(ant_ctx_err(made[m][at]), ANT_ECANCELED);
            ant_ctx_unref(made[m][at]);
        }
    }
    ant_ctx_unref(parent);
}

static void play(int i)
{
    CHECK_INT(ant_ctx_with_cancel(&parent, NULL), 0);
    ant_waitgroup_add(&wg, MAKERS + 1);
    for (int m = 0; m < MAKERS - 1; m++)
        CHECK_INT(ant_go(make_children, made[m]), 0);
    if (i % 8 < 4) {
        atomic_store(&errands.make, made[MAKERS - 1]);
        CHECK_INT(ant_go(cancel_parent, NULL), 0);
    } else {
        CHECK_INT(ant_go(make_children, made[MAKERS - 1]), 0);
        atomic_store(&errands.cancel, parent);
    }
    ant_waitgroup_wait(&wg);
    check_and_drop(i);
}

static int run(void *arg)
{
    pthread_t t;

    CHECK_INT(pthread_create(&t, NULL, helper, NULL), 0);
    for (int i = 0; i < test_scale(10000); i++)
        play(i);
    atomic_store(&errands.stop, true);
    CHECK_INT(pthread_join(t, NULL), 0);
    return 0;
}

TEST(ctx_make_race)
{
    return ant_run(run, NULL, NULL);
}
