/* chan.h - what a channel is, for chan.c and select.c; see chan.c. */
#ifndef ANT_SYNC_CHAN_H
#define ANT_SYNC_CHAN_H

#include <errno.h>
#include <string.h>

#include "sync/sleep.h"

struct ant_chan {
    struct ant__lock lock;
    bool closed;
    _Atomic size_t len;
    size_t cap, elem_size;
    size_t recv_at, send_at; /* slots of the ring */
    struct ant__queue receivers, senders;
    struct ant__ticking *ticking; /* of a channel that a timer sends on, else NULL: ticker.c */
    char ring[];
};

/* ---- elements ---- */

static ant__always_inline void ant__chan_copy(void *to, const void *from, size_t size)
{
    if (!to)
        return;
    if (ant__likely(size == sizeof(void *)))
        memcpy(to, from, sizeof(void *)); /* one instruction each way */
    else if (size > 0)
        memcpy(to, from, size);
}

static inline void ant__chan_clear(const ant_chan *c, void *elem)
{
    if (elem && c->elem_size > 0)
        memset(elem, 0, c->elem_size);
}

static ant__always_inline void ant__chan_ring_put(ant_chan *c, const void *elem)
{
    ant__chan_copy(c->ring + c->send_at * c->elem_size, elem, c->elem_size);
    if (++c->send_at == c->cap)
        c->send_at = 0;
    ant__store_relaxed(&c->len, ant__load_relaxed(&c->len) + 1);
}

static ant__always_inline void ant__chan_ring_get(ant_chan *c, void *elem)
{
    ant__chan_copy(elem, c->ring + c->recv_at * c->elem_size, c->elem_size);
    if (++c->recv_at == c->cap)
        c->recv_at = 0;
    ant__store_relaxed(&c->len, ant__load_relaxed(&c->len) - 1);
}

/* Sends if that is possible now: 0, -EAGAIN or ANT_ECLOSED; *ret_wake: whom to wake. Under the
 * lock. */
static ant__always_inline int ant__chan_put(ant_chan *c, const void *elem,
                                            struct ant__wait **ret_wake)
{
    struct ant__wait *w;

    if (ant__unlikely(c->closed))
        return ANT_ECLOSED;
    w = ant__queue_take(&c->receivers);
    if (w) {
        ant__chan_copy(w->elem, elem, c->elem_size);
        w->done = true;
        *ret_wake = w;
        return 0;
    }
    if (ant__load_relaxed(&c->len) == c->cap)
        return -EAGAIN;
    ant__chan_ring_put(c, elem);
    return 0;
}

/* The same for receiving. */
static ant__always_inline int ant__chan_get(ant_chan *c, void *elem, struct ant__wait **ret_wake)
{
    struct ant__wait *w;

    if (ant__load_relaxed(&c->len) > 0) {
        ant__chan_ring_get(c, elem);
        w = ant__queue_take(&c->senders);
        if (w)
            ant__chan_ring_put(c, w->elem);
    } else {
        w = ant__queue_take(&c->senders);
        if (w)
            ant__chan_copy(elem, w->elem, c->elem_size);
        else if (!c->closed)
            return -EAGAIN;
        else
            return ant__chan_clear(c, elem), ANT_ECLOSED;
    }
    if (w)
        w->done = true;
    *ret_wake = w;
    return 0;
}

/* Closes c, for who is inside the runtime (m: as from ant__enter). False: it was closed. */
bool ant__chan_close(struct ant__m *m, ant_chan *c);

/* Stops the timer of a channel that has one, for good. */
void ant__ticking_end(struct ant__ticking *ticking);
void ant__chan_free(ant_chan *c); /* whoever may have waited */

ANT_NORETURN void ant__wait_for_ever(enum ant__reason reason);

#endif
