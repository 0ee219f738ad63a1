/* ctx_leak - nothing is left of a context that was canceled, or whose last reference is gone, while
 * its parent lives on: no memory, and no timer. */
#include <malloc.h>

#include <anthill.h>

#include "check.h"

static const char key;

static uint64_t pending_timers(void)
{
    ant_stats stats;

    CHECK_INT(ant_stats_get(&stats), 0);
    return stats.timers;
}

static void make_and_drop(ant_ctx *parent, int i)
{
    ant_ctx *a, *b, *c;

    CHECK_INT(ant_ctx_with_cancel(&a, parent), 0);
    CHECK_INT(ant_ctx_with_value(&b, a, &key, NULL), 0);
    CHECK_INT(ant_ctx_with_timeout(&c, b, ANT_HOUR), 0);
    CHECK_INT(pending_timers(), 1);
    if (i & 1)
        ant_ctx_cancel(c);
    if (i & 2)
        ant_ctx_cancel(a);
    if (i & 3) /* a timer goes with the cancel, not only with the last reference */
        CHECK_INT(pending_timers(), 0);
    ant_ctx_unref(i & 4 ? a : c);
    ant_ctx_unref(b);
    ant_ctx_unref(i & 4 ? c : a);
    CHECK_INT(pending_timers(), 0);
}

static int run(void *arg)
{
    int n = test_scale(20000);
    ant_ctx *parent;
    size_t before;

    CHECK_INT(ant_ctx_with_cancel(&parent, NULL), 0);
    for (int i = 0; i < 100; i++)
        make_and_drop(parent, i);
    before = mallinfo2().uordblks;
    for (int i = 0; i < n; i++)
        make_and_drop(parent, i);
    /* One more thread is no leak, and takes less than 2 KB. */
    if (!TEST_SANITIZED && mallinfo2().uordblks > before + 2048 + (size_t)n)
        FAIL("%zu bytes before, %zu after", before, mallinfo2().uordblks);
    CHECK_INT(ant_ctx_err(parent), 0);
    ant_ctx_unref(parent);
    return 0;
}

TEST(ctx_leak)
{
    return ant_run(run, NULL, NULL);
}
