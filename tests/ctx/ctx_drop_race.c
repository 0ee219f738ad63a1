/* ctx_drop_race - the last references to many children, with deadlines and without, are given back
 * at the very moment their parent is canceled, by a goroutine or a thread: each is either canceled
 * or gone, and freed once. */
#include <pthread.h>
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"

enum { CHILDREN = 20 };

static ant_ctx *parent;
static ant_waitgroup wg;
static _Atomic(ant_ctx *) to_cancel; /* by the thread */
static atomic_bool begun, stop;

static void cancel(void *ctx)
{
    atomic_store(&begun, true);
    ant_ctx_cancel(ctx);
    ant_waitgroup_done(&wg);
}

static void *canceler(void *arg)
{
    while (!atomic_load(&stop)) {
        ant_ctx *ctx = atomic_exchange(&to_cancel, NULL);

        if (ctx)
            cancel(ctx);
        else
            ant_yield();
    }
    return NULL;
}

static void play(int i)
{
    ant_ctx *children[CHILDREN];

    CHECK_INT(ant_ctx_with_cancel(&parent, NULL), 0);
    for (int k = 0; k < CHILDREN; k++) {
        if (k % 4 == 0)
            CHECK_INT(ant_ctx_with_timeout(&children[k], parent, ANT_HOUR), 0);
        else
            CHECK_INT(ant_ctx_with_cancel(&children[k], k % 4 > 1 ? children[k - 1] : parent), 0);
    }
    ant_waitgroup_add(&wg, 1);
    atomic_store(&begun, false);
    if (i % 8)
        CHECK_INT(ant_go(cancel, parent), 0);
    else
        atomic_store(&to_cancel, parent);
    while (!atomic_load(&begun))
        ant_yield();
    for (int k = 0; k < CHILDREN; k++)
        ant_ctx_unref(children[i & 1 ? k : CHILDREN - 1 - k]);
    ant_waitgroup_wait(&wg);
    ant_ctx_unref(parent);
}

static int run(void *arg)
{
    pthread_t t;

    CHECK_INT(pthread_create(&t, NULL, canceler, NULL), 0);
    for (int i = 0; i < test_scale(2000); i++)
        play(i);
    atomic_store(&stop, true);
    CHECK_INT(pthread_join(t, NULL), 0);
    return 0;
}

TEST(ctx_drop_race)
{
    return ant_run(run, NULL, NULL);
}
