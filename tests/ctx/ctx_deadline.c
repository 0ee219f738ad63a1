/* ctx_deadline - a context with a deadline is done, with ANT_ETIMEOUT, when that has come and not
 * before; at once if it is past. The earlier of its own and its parent's counts. A cancel comes
 * first if it comes before. What is not at hand never comes. */
#include <anthill.h>

#include "check.h"

static ant_time deadline_of(const ant_ctx *ctx)
{
    ant_time deadline;

    CHECK(ant_ctx_deadline(ctx, NULL));
    CHECK(ant_ctx_deadline(ctx, &deadline));
    return deadline;
}

static void check_comes(ant_ctx *ctx, ant_time deadline)
{
    CHECK_INT(deadline_of(ctx), deadline);
    CHECK(!ant_chan_recv(ant_ctx_done(ctx), NULL));
    CHECK(ant_now() >= deadline);
    CHECK_INT(ant_ctx_err(ctx), ANT_ETIMEOUT);
    CHECK_INT(ant_ctx_cause(ctx), ANT_ETIMEOUT);
}

static void comes(void)
{
    for (ant_duration d = ANT_NANOSECOND; d < 5 * ANT_MILLISECOND; d *= 10) {
        ant_time before = ant_now();
        ant_ctx *by_deadline, *by_timeout;

        CHECK_INT(ant_ctx_with_deadline(&by_deadline, NULL, before + d), 0);
        CHECK_INT(ant_ctx_with_timeout(&by_timeout, NULL, d), 0);
        CHECK(deadline_of(by_timeout) >= before + d);
        check_comes(by_timeout, deadline_of(by_timeout));
        check_comes(by_deadline, before + d);
        ant_ctx_unref(by_deadline);
        ant_ctx_unref(by_timeout);
    }
}

static void check_is_past(ant_ctx *ctx)
{
    CHECK_INT(ant_ctx_err(ctx), ANT_ETIMEOUT);
    CHECK_INT(ant_chan_try_recv(ant_ctx_done(ctx), NULL), ANT_ECLOSED);
    CHECK(deadline_of(ctx) <= ant_now());
    ant_ctx_unref(ctx);
}

static void is_past(void)
{
    static const ant_duration past[] = {0, -1, -ANT_HOUR, INT64_MIN};
    ant_ctx *ctx;

    for (int i = 0; i < 4; i++) {
        CHECK_INT(ant_ctx_with_timeout(&ctx, NULL, past[i]), 0);
        check_is_past(ctx);
        CHECK_INT(ant_ctx_with_deadline(&ctx, NULL, past[i]), 0);
        check_is_past(ctx);
    }
    CHECK_INT(ant_ctx_with_deadline(&ctx, NULL, ant_now()), 0);
    check_is_past(ctx);
}

/* Each has the parent's deadline, whatever it asks for. */
static void parent_is_earlier(void)
{
    ant_ctx *parent, *cancelable, *value, *later;
    ant_time deadline = ant_now() + ANT_MILLISECOND;

    CHECK_INT(ant_ctx_with_deadline(&parent, NULL, deadline), 0);
    CHECK_INT(ant_ctx_with_cancel(&cancelable, parent), 0);
    CHECK_INT(ant_ctx_with_value(&value, cancelable, &deadline, NULL), 0);
    CHECK_INT(ant_ctx_with_timeout(&later, value, ANT_HOUR), 0);
    check_comes(later, deadline);
    check_comes(value, deadline);
    check_comes(cancelable, deadline);
    check_comes(parent, deadline);
    ant_ctx_unref(parent);
    ant_ctx_unref(cancelable);
    ant_ctx_unref(value);
    ant_ctx_unref(later);
}

static void child_is_earlier(void)
{
    ant_ctx *parent, *child;
    ant_time deadline;

    CHECK_INT(ant_ctx_with_timeout(&parent, NULL, ANT_HOUR), 0);
    deadline = ant_now() + 100 * ANT_MICROSECOND;
    CHECK_INT(ant_ctx_with_deadline(&child, parent, deadline), 0);
    check_comes(child, deadline);
    CHECK_INT(ant_ctx_err(parent), 0);
    ant_ctx_unref(parent);
    ant_ctx_unref(child);
}

static void canceled_before(void)
{
    ant_ctx *ctx, *parent, *child;
    ant_time deadline = ant_now() + 50 * ANT_MILLISECOND;

    CHECK_INT(ant_ctx_with_cancel(&parent, NULL), 0);
    CHECK_INT(ant_ctx_with_deadline(&ctx, NULL, deadline), 0);
    CHECK_INT(ant_ctx_with_deadline(&child, parent, deadline), 0);
    ant_ctx_cancel(ctx);
    ant_ctx_cancel(parent);
    if (ant_now() < deadline) { /* this machine is not too slow */
        CHECK_INT(ant_ctx_err(ctx), ANT_ECANCELED);
        CHECK_INT(ant_ctx_err(child), ANT_ECANCELED);
        while (ant_now() <= deadline)
            ant_sleep(ANT_MILLISECOND);
        ant_sleep(ANT_MILLISECOND);
        CHECK_INT(ant_ctx_err(ctx), ANT_ECANCELED);
        CHECK_INT(ant_ctx_err(child), ANT_ECANCELED);
    }
    ant_ctx_unref(parent);
    ant_ctx_unref(ctx);
    ant_ctx_unref(child);
}

static void never_comes(void)
{
    static const ant_duration far[] = {ANT_HOUR, 1000000 * ANT_HOUR, INT64_MAX};
    ant_ctx *ctx;

    for (int i = 0; i < 3; i++) {
        CHECK_INT(ant_ctx_with_timeout(&ctx, NULL, far[i]), 0);
        ant_sleep(ANT_MILLISECOND);
        CHECK_INT(ant_ctx_err(ctx), 0);
        ant_ctx_unref(ctx);
    }
    CHECK_INT(ant_ctx_with_deadline(&ctx, NULL, INT64_MAX), 0);
    CHECK_INT(ant_ctx_err(ctx), 0);
    ant_ctx_unref(ctx);
    CHECK_INT(ant_ctx_with_cancel(&ctx, NULL), 0);
    CHECK(!ant_ctx_deadline(ctx, NULL));
    CHECK(!ant_ctx_deadline(NULL, NULL));
    ant_ctx_unref(ctx);
}

static int run(void *arg)
{
    for (int i = 0; i < test_scale(20); i++) {
        comes();
        is_past();
        parent_is_earlier();
        child_is_earlier();
        never_comes();
    }
    canceled_before();
    return 0;
}

TEST(ctx_deadline)
{
    CHECK_INT(ant_run(run, NULL, NULL), 0);
    CHECK_INT(ant_start(NULL), 0);
    run(NULL); /* in a plain thread */
    CHECK_INT(ant_stop(), 0);
    return 0;
}
