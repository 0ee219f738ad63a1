/* fail_sync - the n-th request for memory of each call on channels, contexts and caches is
 * refused: an error and nothing half done, or the call does without; once there is memory again
 * everything works. */
#include <errno.h>
#include <signal.h>
#include <stdatomic.h>

#include <anthill.h>

#include "base/sys.h"
#include "check.h"

enum { MANY = 20, OBJECTS = 50 };

static int destroyed;

static void destroy(void *object, void *arg)
{
    destroyed++;
    free(object);
}

/* Each makes something, and if it succeeds shows that it works, and frees it. */

static int try_chan(void)
{
    ant_chan *c;
    int v = 7, err = ant_chan_new(&c, sizeof v, 1);

    if (err)
        return err;
    ant_chan_send(c, &v);
    CHECK(ant_chan_recv(c, &v));
    return ant_chan_destroy(c);
}

static int try_select(void)
{
    ant_case cases[MANY];
    ant_chan *c;
    int v, got, err = ant_chan_new(&c, sizeof v, 1);

    if (err)
        return err;
    v = 7;
    ant_chan_send(c, &v);
    v = 0;
    for (int i = 0; i < MANY; i++)
        cases[i] = (ant_case)ANT_RECV(i == 5 ? c : NULL, &v);
    got = ant_select(cases, MANY);
    CHECK_INT(ant_chan_len(c), got < 0 ? 1 : 0);
    CHECK(got == -ENOMEM || (got == 5 && v == 7));
    CHECK_INT(ant_chan_destroy(c), 0);
    return got < 0 ? got : 0;
}

static int try_context(void)
{
    static int key;
    ant_ctx *canceled = NULL, *timed = NULL, *valued = NULL, *without = NULL;
    int err = ant_ctx_with_cancel(&canceled, NULL);

    if (!err)
        err = ant_ctx_with_timeout(&timed, canceled, ANT_HOUR);
    if (!err)
        err = ant_ctx_with_value(&valued, timed, &key, &destroyed);
    if (!err)
        err = ant_ctx_without_cancel(&without, valued);
    if (!err) {
        ant_ctx_cancel(canceled);
        CHECK_INT(ant_ctx_err(valued), ANT_ECANCELED);
        CHECK_INT(ant_ctx_err(without), 0);
        CHECK(ant_ctx_value(without, &key) == &destroyed);
    }
    ant_ctx_unref(canceled);
    ant_ctx_unref(timed);
    ant_ctx_unref(valued);
    ant_ctx_unref(without);
    return err;
}

static int try_after(void)
{
    ant_chan *c;
    int err = ant_after(&c, 0);

    if (err)
        return err;
    CHECK(ant_chan_recv(c, NULL));
    return ant_chan_destroy(c);
}

static int try_ticker(void)
{
    ant_ticker *ticker;
    int err = ant_ticker_new(&ticker, ANT_MILLISECOND);

    if (err)
        return err;
    CHECK(ant_chan_recv(ant_ticker_chan(ticker), NULL));
    return ant_ticker_destroy(ticker);
}

static int try_sleep(void)
{
    ant_ctx *ctx;
    int err = ant_ctx_with_cancel(&ctx, NULL);

    if (err)
        return err;
    err = ant_sleep_ctx(1, ctx);
    ant_ctx_unref(ctx);
    return err;
}

static int try_signals(void)
{
    static const int signals[] = {SIGUSR1, SIGUSR2};
    ant_chan *c = NULL;
    ant_ctx *ctx = NULL;
    int got, err = ant_chan_new(&c, sizeof got, 1);

    if (!err)
        err = ant_signal_notify(c, signals, 2);
    if (!err)
        err = ant_ctx_with_signals(&ctx, NULL, signals, 2);
    if (!err) {
        raise(SIGUSR2);
        CHECK(ant_chan_recv(c, &got));
        CHECK_INT(got, SIGUSR2);
        CHECK(!ant_chan_recv(ant_ctx_done(ctx), NULL));
    }
    ant_signal_stop(c);
    ant_chan_destroy(c);
    ant_ctx_unref(ctx);
    return err;
}

static int return_5(void *arg)
{
    return 5;
}

static int try_group(void)
{
    ant_group group;
    ant_ctx *ctx;
    int err = ant_group_init_ctx(&group, &ctx, NULL);

    if (err)
        return err;
    CHECK_INT(ant_group_set_limit(&group, 1), 0);
    err = ant_group_go(&group, return_5, NULL);
    CHECK_INT(ant_group_wait(&group), err ? 0 : 5);
    CHECK_INT(ant_sem_try_acquire(&group.slots, 1), 0); /* the slot was given back */
    return err;
}

static int try_cache(void)
{
    ant_cache *cache;
    int err = ant_cache_new(&cache, NULL, destroy, NULL);

    if (err)
        return err;
    destroyed = 0;
    for (int i = 0; i < OBJECTS; i++)
        ant_cache_put(cache, malloc(1)); /* what cannot be kept is destroyed */
    ant_cache_destroy(cache);
    CHECK_INT(destroyed, OBJECTS);
    return 0;
}

static void check(int (*attempt)(void), bool may_do_without)
{
    bool refused = true, failed = false;

    CHECK_INT(attempt(), 0);
    for (int n = 1; refused; n++) {
        int err;

        ant__fail_times = 1;
        ant__fail_after = n;
        err = attempt();
        refused = ant__fail_times == 0; /* there were so many requests */
        ant__fail_times = 0;
        ant__fail_after = 0;
        CHECK(err == 0 || err == -ENOMEM);
        failed |= err != 0;
        CHECK(may_do_without || !refused || err == -ENOMEM);
    }
    CHECK(failed);
    CHECK_INT(attempt(), 0);
}

static int run(void *arg)
{
    ant_sleep(ANT_MILLISECOND);
    check(try_chan, false);
    check(try_select, false);
    check(try_context, false);
    check(try_after, false);
    check(try_ticker, false);
    check(try_sleep, false);
    check(try_signals, false);
    check(try_group, true); /* goroutines may be had without asking the system */
    check(try_cache, true);
    return 0;
}

TEST(fail_sync)
{
    CHECK_INT(unsetenv("ANTHILL"), 0);
    CHECK_INT(ant_run(run, NULL, &(ant_config){.procs = 1}), 0); /* so that nobody else asks */
    return 0;
}
