/* ctx_timeout_scope - ANT_TIMEOUT: what ends its context, and every way out of its block: the last
 * line, break, continue, return, goto, a panic, ant_exit. No timer is left behind any of them.
 *
 * Catches: a way out by which the context stays in the list of its parent or on a wheel. */
#include <errno.h>

#include <anthill.h>

#include "check.h"

static const char key;

static uint64_t pending_timers(void)
{
    ant_stats stats;

    CHECK_INT(ant_stats_get(&stats), 0);
    return stats.timers;
}

static int wait_done(ant_ctx *ctx)
{
    CHECK(!ant_chan_recv(ant_ctx_done(ctx), NULL));
    return ant_ctx_err(ctx);
}

static void ends_by_time(ant_ctx *parent)
{
    for (int i = -1; i <= 1; i++) {
        ant_time begun = ant_now();
        ANT_TIMEOUT(ctx, parent, i * ANT_MILLISECOND);

        CHECK_INT(wait_done(ctx), ANT_ETIMEOUT);
        CHECK_INT(ant_ctx_cause(ctx), ANT_ETIMEOUT);
        CHECK(ant_now() - begun >= i * ANT_MILLISECOND);
    }
}

static void ends_by_hand(ant_ctx *parent)
{
    ANT_TIMEOUT(ctx, parent, ANT_HOUR);

    CHECK_INT(ant_ctx_err(ctx), 0);
    CHECK_INT(pending_timers(), 1);
    ant_ctx_cancel_cause(ctx, -EIO);
    CHECK_INT(wait_done(ctx), ANT_ECANCELED);
    CHECK_INT(ant_ctx_cause(ctx), -EIO);
    CHECK_INT(pending_timers(), 0);
}

static void ends_by_parent(void)
{
    ant_ctx *parent, *value;

    CHECK_INT(ant_ctx_with_cancel(&parent, NULL), 0);
    CHECK_INT(ant_ctx_with_value(&value, parent, &key, &parent), 0);
    {
        ANT_TIMEOUT(outer, value, ANT_HOUR);
        ANT_TIMEOUT(inner, outer, 2 * ANT_HOUR);

        CHECK_INT(pending_timers(), 1); /* the inner one's is never the first */
        CHECK(ant_ctx_value(inner, &key) == &parent);
        ant_ctx_cancel(parent);
        CHECK_INT(wait_done(inner), ANT_ECANCELED);
        CHECK_INT(wait_done(outer), ANT_ECANCELED);
        CHECK_INT(pending_timers(), 0);
    }
    {
        ANT_TIMEOUT(late, value, ANT_HOUR);
        CHECK_INT(ant_ctx_err(late), ANT_ECANCELED);
        CHECK_INT(pending_timers(), 0);
    }
    ant_ctx_unref(value);
    ant_ctx_unref(parent);
}

/* A child that is made on the heap is done when the scope's context is, and can be given back. */
static void has_children(void)
{
    ANT_TIMEOUT(ctx, NULL, ANT_MILLISECOND);
    ant_ctx *child, *value;

    CHECK_INT(ant_ctx_with_cancel(&child, ctx), 0);
    CHECK_INT(ant_ctx_with_value(&value, ctx, &key, &child), 0);
    CHECK_INT(wait_done(child), ANT_ETIMEOUT);
    CHECK_INT(wait_done(value), ANT_ETIMEOUT);
    CHECK(ant_ctx_deadline(child, NULL));
    ant_ctx_unref(value);
    ant_ctx_unref(child);
}

/* ---- ways out ---- */

static int by_return(ant_ctx *parent)
{
    ANT_TIMEOUT(ctx, parent, ANT_HOUR);

    return ant_ctx_err(ctx) + (int)pending_timers();
}

static void by_break_and_continue(ant_ctx *parent)
{
    for (int i = 0; i < 3; i++) {
        ANT_TIMEOUT(ctx, parent, ANT_HOUR);

        CHECK_INT(ant_ctx_err(ctx), 0);
        CHECK_INT(pending_timers(), 1);
        if (i == 0)
            continue;
        break;
    }
}

static void by_goto(ant_ctx *parent)
{
    bool again = true;

before:
    CHECK_INT(pending_timers(), 0);
    if (again) {
        ANT_TIMEOUT(ctx, parent, ANT_HOUR);

        CHECK_INT(ant_ctx_err(ctx), 0);
        again = false;
        goto before;
    }
}

static void by_panic(void *parent)
{
    ANT_TIMEOUT(outer, parent, ANT_HOUR);
    ANT_TIMEOUT(ctx, outer, ANT_MINUTE);

    CHECK_INT(ant_ctx_err(ctx), 0);
    CHECK_INT(pending_timers(), 2);
    ant_panic("out of here");
}

static ant_ctx *common;
static ant_waitgroup exited;

static void done(void *arg)
{
    ant_waitgroup_done(arg);
}

static void by_exit(void *arg)
{
    ANT_DEFER(done, &exited);
    ANT_TIMEOUT(ctx, common, ANT_HOUR);

    CHECK_INT(ant_ctx_err(ctx), 0);
    ant_exit();
}

/* The parent's last reference but that of the scope is given back before its end. */
static void outlives_others(void)
{
    ant_ctx *parent;

    CHECK_INT(ant_ctx_with_cancel(&parent, NULL), 0);
    {
        ANT_TIMEOUT(ctx, parent, ANT_HOUR);

        CHECK_INT(ant_ctx_err(ctx), 0);
        ant_ctx_unref(parent);
    }
}

static int run(void *arg)
{
    CHECK_INT(ant_ctx_with_cancel(&common, NULL), 0);
    for (int i = 0; i < 2; i++) {
        ant_ctx *parent = i ? common : NULL;

        ends_by_time(parent);
        ends_by_hand(parent);
        CHECK_INT(by_return(parent), 1);
        by_break_and_continue(parent);
        by_goto(parent);
        CHECK_INT(ant_try(by_panic, parent, NULL), ANT_EPANIC);
        CHECK_INT(pending_timers(), 0);
    }
    ends_by_parent();
    has_children();
    outlives_others();
    ant_waitgroup_add(&exited, 1);
    CHECK_INT(ant_go(by_exit, NULL), 0);
    ant_waitgroup_wait(&exited);
    CHECK_INT(pending_timers(), 0);
    ant_ctx_cancel(common); /* finds no child that is gone */
    ant_ctx_unref(common);
    return 0;
}

static void *in_thread(void *arg)
{
    ends_by_time(arg);
    ends_by_hand(arg);
    CHECK_INT(ant_try(by_panic, arg, NULL), ANT_EPANIC);
    return NULL;
}

static void check_not_running(void)
{
    ANT_TIMEOUT(ctx, NULL, ANT_HOUR);

    CHECK_INT(wait_done(ctx), ANT_ENOTRUNNING);
    CHECK_INT(ant_ctx_cause(ctx), ANT_ENOTRUNNING);
}

TEST(ctx_timeout_scope)
{
    check_not_running();
    CHECK_INT(ant_run(run, NULL, NULL), 0);
    CHECK_INT(ant_start(NULL), 0);
    in_thread(NULL);
    CHECK_INT(ant_stop(), 0);
    return 0;
}
