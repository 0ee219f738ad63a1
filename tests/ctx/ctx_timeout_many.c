/* ctx_timeout_many - a thousand goroutines begin and end scopes again and again, under one parent
 * and under none, while the time runs out at the very moment in which the block is left, others
 * cancel the context, or the parent. Nothing is left: no timer, no memory, nobody in the parent's
 * list.
 *
 * Catches: an end that leaves its frame while somebody is still canceling the context. */
#include <malloc.h>

#include <anthill.h>

#include "check.h"

enum { GOROUTINES = 1000 };

static ant_ctx *root;
static ant_waitgroup all;
static int rounds;

struct helper {
    ant_ctx *ctx;
    ant_waitgroup done;
};

static void cancel_it(void *arg)
{
    struct helper *h = arg;

    ant_ctx_cancel(h->ctx);
    ant_waitgroup_done(&h->done);
}

/* The receive is over when the other is still at it. */
static void be_canceled(ant_ctx *ctx)
{
    struct helper h = {.ctx = ctx};

    ant_waitgroup_add(&h.done, 1);
    CHECK_INT(ant_go(cancel_it, &h), 0);
    ant_chan_recv(ant_ctx_done(ctx), NULL);
    ant_waitgroup_wait(&h.done);
}

static void one_scope(int kind, ant_duration d)
{
    ANT_TIMEOUT(ctx, kind & 1 ? root : NULL, d);

    if (kind & 2)
        ant_sleep(d);
    else if (kind & 4)
        be_canceled(ctx);
    else
        ant_chan_recv(ant_ctx_done(ctx), NULL);
}

/* The parent is canceled while the children end on their own. */
static void one_family(ant_duration d)
{
    ant_timeout several[3];
    ANT_TIMEOUT(parent, root, d);

    for (int i = 0; i < 3; i++)
        ant_timeout_begin(&several[i], parent, d);
    ant_sleep(d);
    for (int i = 2; i >= 0; i--)
        ant_timeout_end(&several[i]);
}

static void work(void *arg)
{
    int number = (int)(intptr_t)arg;

    for (int i = 0; i < rounds; i++) {
        ant_duration d = (20 + (number * 7 + i * 13) % 100) * ANT_MICROSECOND;

        one_scope(number + i, d);
        one_family(d);
    }
    ant_waitgroup_done(&all);
}

static void all_work(void)
{
    ant_waitgroup_add(&all, GOROUTINES);
    for (int i = 0; i < GOROUTINES; i++)
        CHECK_INT(ant_go(work, (void *)(intptr_t)i), 0);
    ant_waitgroup_wait(&all);
}

static int run(void *arg)
{
    ant_stats stats;
    size_t before;

    CHECK_INT(ant_ctx_with_cancel(&root, NULL), 0);
    rounds = 1;
    all_work();
    before = mallinfo2().uordblks;
    rounds = test_scale_least(100, 2);
    all_work();
    if (!TEST_SANITIZED && mallinfo2().uordblks > before + 32 * GOROUTINES) /* threads have some */
        FAIL("%zu bytes before, %zu after", before, mallinfo2().uordblks);
    CHECK_INT(ant_stats_get(&stats), 0);
    CHECK_INT(stats.timers, 0);
    ant_ctx_cancel(root);
    ant_ctx_unref(root);
    return 0;
}

TEST(ctx_timeout_many)
{
    test_one_arena();
    return ant_run(run, NULL, NULL);
}
