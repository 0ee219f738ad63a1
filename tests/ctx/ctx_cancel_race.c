/* ctx_cancel_race - Go's TestSimultaneousCancels and TestInterlockedCancels: all contexts of a tree
 * are canceled at once, each by another goroutine or thread, each with its own cause: all become
 * done, once, with the cause of one that is above it or itself. One that is canceled because
 * another is done is no problem either. */
#include <pthread.h>
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"

enum { NODES = 31 };

static struct node {
    ant_ctx *ctx;
    int index;
} nodes[NODES];

static ant_waitgroup wg;
static _Atomic(struct node *) for_thread;
static atomic_bool stop;

static void cancel(void *arg)
{
    struct node *n = arg;

    ant_ctx_cancel_cause(n->ctx, -1000 - n->index);
    CHECK_INT(ant_ctx_err(n->ctx), ANT_ECANCELED);
    ant_waitgroup_done(&wg);
}

static void *canceler(void *arg)
{
    while (!atomic_load(&stop)) {
        struct node *n = atomic_exchange(&for_thread, NULL);

        if (n)
            cancel(n);
        else
            ant_yield();
    }
    return NULL;
}

/* The children of i are 2i+1 and 2i+2. */
static bool is_above_or_same(int above, int i)
{
    while (i > above)
        i = (i - 1) / 2;
    return i == above;
}

static void check_done(const struct node *n)
{
    int cause = ant_ctx_cause(n->ctx);

    CHECK(!ant_chan_recv(ant_ctx_done(n->ctx), NULL)); /* others may be about to close it */
    CHECK_INT(ant_ctx_err(n->ctx), ANT_ECANCELED);
    if (!is_above_or_same(-1000 - cause, n->index))
        FAIL("node %d has cause %d", n->index, cause);
}

static void all_at_once(int round)
{
    for (int i = 0; i < NODES; i++) {
        nodes[i].index = i;
        CHECK_INT(ant_ctx_with_cancel(&nodes[i].ctx, i ? nodes[(i - 1) / 2].ctx : NULL), 0);
    }
    ant_waitgroup_add(&wg, NODES);
    for (int i = 0; i < NODES; i++) {
        struct node *none = NULL, *n = &nodes[round % 2 ? i : NODES - 1 - i];

        if (!atomic_compare_exchange_strong(&for_thread, &none, n))
            CHECK_INT(ant_go(cancel, n), 0);
    }
    ant_waitgroup_wait(&wg);
    for (int i = 0; i < NODES; i++) {
        check_done(&nodes[i]);
        ant_ctx_unref(nodes[i].ctx);
    }
}

/* Cancels the second when the first is done. */
static void follow(void *arg)
{
    struct node *pair = arg;

    ant_chan_recv(ant_ctx_done(pair[0].ctx), NULL);
    ant_ctx_cancel(pair[1].ctx);
    ant_waitgroup_done(&wg);
}

static void interlocked(void)
{
    struct node pair[2];

    CHECK_INT(ant_ctx_with_cancel(&pair[0].ctx, NULL), 0);
    CHECK_INT(ant_ctx_with_cancel(&pair[1].ctx, pair[0].ctx), 0);
    ant_waitgroup_add(&wg, 1);
    CHECK_INT(ant_go(follow, pair), 0);
    ant_ctx_cancel(pair[0].ctx);
    CHECK(!ant_chan_recv(ant_ctx_done(pair[1].ctx), NULL));
    ant_waitgroup_wait(&wg);
    ant_ctx_unref(pair[0].ctx);
    ant_ctx_unref(pair[1].ctx);
}

static int run(void *arg)
{
    pthread_t t;

    CHECK_INT(pthread_create(&t, NULL, canceler, NULL), 0);
    for (int i = 0; i < test_scale(3000); i++) {
        all_at_once(i);
        interlocked();
    }
    atomic_store(&stop, true);
    CHECK_INT(pthread_join(t, NULL), 0);
    return 0;
}

TEST(ctx_cancel_race)
{
    return ant_run(run, NULL, NULL);
}
