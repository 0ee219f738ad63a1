/* ticker.c - channels on which a timer sends the time.
 *
 * A channel with one slot and a timer. The timer fires in the scheduler, under its wheel's lock,
 * and puts the time into the channel if there is room; no goroutine is needed for it. So the order
 * of locks is wheel, then channel: nobody arms or disarms a timer under a channel's lock. For a sleep
 * with a context both lie in the frame of the sleeper.
 */
#include <stdlib.h>

#include "sync/chan.h"

struct ant__ticking {
    struct ant__timer timer;
    ant_chan *chan;
    ant_time when;
    ant_duration period; /* 0: once */
};

struct ant_ticker {
    struct ant__ticking ticking;
};

/* The first time after now that is a multiple of the period away. */
static ant_time next_tick(const struct ant__ticking *t, ant_time now)
{
    ant_duration late = now > t->when ? now - t->when : 0;

    return ant__time_add(t->when, late / t->period * t->period + t->period);
}

static ant_time fire(struct ant__timer *timer, struct ant__p *p, struct ant__glist *out)
{
    struct ant__ticking *t = ant__container_of(timer, struct ant__ticking, timer);
    struct ant__wait *w = NULL;
    ant_time now = ant__now();

    ant__lock(&t->chan->lock);
    ant__chan_put(t->chan, &now, &w);
    ant__unlock(&t->chan->lock);
    if (w && w->sleeper->g) {
        ant__store_relaxed(&w->sleeper->g->state, ANT__G_RUNNABLE);
        ant__glist_push(out, w->sleeper->g);
    } else if (w) {
        ant__wake_threads(&w->sleeper->thread);
    }
    if (t->period == 0)
        return 0;
    t->when = next_tick(t, now);
    return t->when;
}

static int start(struct ant__ticking *t, ant_duration first, ant_duration period)
{
    t->timer.fire = fire;
    t->period = period;
    t->when = ant__time_add(ant__now(), first > 0 ? first : 0);
    return ant__timer_start(&t->timer, t->when);
}

static int make(struct ant__ticking **ret_ticking)
{
    void *memory;
    int err = ant__alloc(&memory, sizeof(struct ant_ticker));

    if (err)
        return err;
    *ret_ticking = memory;
    err = ant_chan_new(&(*ret_ticking)->chan, sizeof(ant_time), 1);
    if (err)
        free(memory);
    else
        (*ret_ticking)->chan->ticking = *ret_ticking;
    return err;
}

void ant__ticking_end(struct ant__ticking *t)
{
    ant__timer_stop(&t->timer);
    free(t);
}

int ant_after(ant_chan **ret_chan, ant_duration d)
{
    struct ant__ticking *t;
    int err = ret_chan ? make(&t) : -EINVAL;

    if (err)
        return err;
    err = start(t, d, 0);
    if (err)
        ant_chan_destroy(t->chan);
    else
        *ret_chan = t->chan;
    return err;
}

int ant_ticker_new(ant_ticker **ret_ticker, ant_duration period)
{
    struct ant__ticking *t;
    int err = ret_ticker && period > 0 ? make(&t) : -EINVAL;

    if (err)
        return err;
    err = start(t, period, period);
    if (err)
        ant_chan_destroy(t->chan);
    else
        *ret_ticker = ant__container_of(t, struct ant_ticker, ticking);
    return err;
}

ant_chan *ant_ticker_chan(ant_ticker *ticker)
{
    return ticker ? ticker->ticking.chan : NULL;
}

void ant_ticker_stop(ant_ticker *ticker)
{
    if (!ticker)
        return;
    ant__timer_stop(&ticker->ticking.timer);
    ant_chan_try_recv(ticker->ticking.chan, NULL);
}

int ant_ticker_reset(ant_ticker *ticker, ant_duration period)
{
    if (!ticker || period <= 0)
        return -EINVAL;
    ant_ticker_stop(ticker);
    return start(&ticker->ticking, period, period);
}

int ant_ticker_destroy(ant_ticker *ticker)
{
    if (!ticker)
        return 0;
    ant__timer_stop(&ticker->ticking.timer);
    return ant_chan_destroy(ticker->ticking.chan);
}

/* A channel of no bytes, in the frame. The timer is disarmed also when it has fired: only then has its
 * wheel let go of it. */
int ant_sleep_ctx(ant_duration d, ant_ctx *ctx)
{
    struct {
        struct ant__ticking ticking;
        ant_chan chan;
    } nap = {.chan.cap = 1};
    int err = ant_ctx_err(ctx);

    if (err || d <= 0)
        return err;
    if (!ant_ctx_done(ctx)) {
        ant_sleep(d);
        return 0;
    }
    nap.ticking.chan = &nap.chan;
    err = start(&nap.ticking, d, 0);
    if (err)
        return err;
    err = ant_chan_recv_ctx(&nap.chan, NULL, ctx);
    ant__timer_stop(&nap.ticking.timer);
    return err;
}
