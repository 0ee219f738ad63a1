/* chan.c - channels.
 *
 * A ring of elements and two queues of waiters under one lock. Of the queues at least one is empty;
 * receivers wait only while the ring is empty, senders only while it is full. Whoever finds a
 * waiter on the other side does that one's part too: copies the element from or to where the waiter
 * wants it, and wakes it when it has let go of the lock. So nobody is woken in vain, and order is
 * kept: a sender that waited at a full ring gets the slot that a receive has just emptied.
 *
 * How one waits and wakes is in sleep.h; what select does is in select.c.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/preempt.h"
#include "sync/chan.h"

/* ---- waiting ---- */

static bool commit_unlock(struct ant__m *m, struct ant__g *g, void *c)
{
    ant__unlock(&((ant_chan *)c)->lock);
    return true;
}

/* Waits in q until somebody has done our part. Called with the lock, returns without. */
static bool wait_in(struct ant__queue *q, ant_chan *c, void *elem, struct ant__m **m,
                    enum ant__reason reason)
{
    struct ant__sleeper s;
    struct ant__wait w;

    ant__sleeper_init(&s, *m, false);
    ant__wait_init(&w, &s);
    w.elem = elem;
    ant__queue_push(q, &w);
    *m = ant__sleep(*m, &s, reason, commit_unlock, c);
    return w.done;
}

static bool commit_nothing(struct ant__m *m, struct ant__g *g, void *arg)
{
    return true;
}

void ant__wait_for_ever(enum ant__reason reason)
{
    struct ant__waiter w = {0};

    for (;;) {
        struct ant__m *m = ant__enter();

        if (m)
            ant__park(m, reason, commit_nothing, NULL);
        else
            ant__wait_as_thread(&w);
    }
}

/* ---- the calls ---- */

int ant_chan_new(ant_chan **ret_chan, size_t elem_size, size_t capacity)
{
    void *memory;
    size_t bytes;
    int err;

    if (!ret_chan || __builtin_mul_overflow(elem_size, capacity, &bytes) ||
        bytes > PTRDIFF_MAX - sizeof(ant_chan) || capacity > PTRDIFF_MAX)
        return -EINVAL;
    err = ant__alloc(&memory, sizeof(ant_chan) + bytes);
    if (err)
        return err;
    *ret_chan = memory;
    (*ret_chan)->elem_size = elem_size;
    (*ret_chan)->cap = capacity;
    return 0;
}

void ant__chan_free(ant_chan *c)
{
    if (c && c->ticking)
        ant__ticking_end(c->ticking);
    free(c);
}

int ant_chan_destroy(ant_chan *c)
{
    bool busy;
    uint8_t was;

    if (!c)
        return 0;
    was = ant__lock_steady(&c->lock);
    busy = ant__queue_head(&c->receivers) || ant__queue_head(&c->senders);
    ant__unlock_steady(&c->lock, was);
    if (busy)
        return -EBUSY;
    ant__chan_free(c);
    return 0;
}

void ant_chan_send(ant_chan *c, const void *elem)
{
    struct ant__wait *waiter = NULL;
    struct ant__m *m;
    int err;

    if (ant__unlikely(!c))
        ant__wait_for_ever(ANT__WAIT_SEND_NULL);
    m = ant__enter();
    ant__lock(&c->lock);
    err = ant__chan_put(c, elem, &waiter);
    if (err == -EAGAIN) {
        if (!wait_in(&c->senders, c, (void *)elem, &m, ANT__WAIT_SEND))
            err = ANT_ECLOSED;
    } else {
        ant__unlock(&c->lock);
        ant__wake(m, waiter);
    }
    ant__leave_any(m);
    if (ant__unlikely(err == ANT_ECLOSED))
        ant_panic("ant_chan_send: the channel is closed");
}

bool ant_chan_recv(ant_chan *c, void *ret_elem)
{
    struct ant__wait *waiter = NULL;
    struct ant__m *m;
    bool received;
    int err;

    if (ant__unlikely(!c))
        ant__wait_for_ever(ANT__WAIT_RECV_NULL);
    m = ant__enter();
    ant__lock(&c->lock);
    err = ant__chan_get(c, ret_elem, &waiter);
    if (err == -EAGAIN) {
        received = wait_in(&c->receivers, c, ret_elem, &m, ANT__WAIT_RECV);
    } else {
        ant__unlock(&c->lock);
        ant__wake(m, waiter);
        received = err == 0;
    }
    ant__leave_any(m);
    return received;
}

static inline int attempt(ant_chan *c, void *elem, bool sending)
{
    struct ant__wait *waiter = NULL;
    struct ant__m *m;
    int err;

    if (!c)
        return -EAGAIN;
    m = ant__enter();
    ant__lock(&c->lock);
    err = sending ? ant__chan_put(c, elem, &waiter) : ant__chan_get(c, elem, &waiter);
    ant__unlock(&c->lock);
    ant__wake(m, waiter);
    ant__leave_any(m);
    return err;
}

int ant_chan_try_send(ant_chan *c, const void *elem)
{
    return attempt(c, (void *)elem, true);
}

int ant_chan_try_recv(ant_chan *c, void *ret_elem)
{
    return attempt(c, ret_elem, false);
}

static void take_all(ant_chan *c, struct ant__queue *q, bool receivers, struct ant__woken *woken)
{
    struct ant__wait *w;

    while ((w = ant__queue_take(q))) {
        if (receivers)
            ant__chan_clear(c, w->elem);
        ant__woken_add(woken, w->sleeper);
    }
}

bool ant__chan_close(struct ant__m *m, ant_chan *c)
{
    struct ant__woken woken = {0};
    bool closed;

    ant__lock(&c->lock);
    closed = c->closed;
    c->closed = true;
    take_all(c, &c->receivers, true, &woken);
    take_all(c, &c->senders, false, &woken);
    ant__unlock(&c->lock);
    ant__wake_all(m, &woken);
    return !closed;
}

void ant_chan_close(ant_chan *c)
{
    struct ant__m *m;
    bool was_open;

    if (!c)
        ant_panic("ant_chan_close: the channel is NULL");
    m = ant__enter();
    was_open = ant__chan_close(m, c);
    ant__leave_any(m);
    if (!was_open)
        ant_panic("ant_chan_close: the channel is closed already");
}

size_t ant_chan_len(const ant_chan *c)
{
    return c ? ant__load_relaxed(&c->len) : 0;
}

size_t ant_chan_cap(const ant_chan *c)
{
    return c ? c->cap : 0;
}

/* ---- for those who give up with a context ---- */

bool ant__done_join(ant_chan *done, struct ant__wait *w)
{
    ant__lock(&done->lock);
    if (done->closed) {
        ant__unlock(&done->lock);
        return false;
    }
    w->elem = NULL;
    ant__queue_push(&done->receivers, w);
    return true;
}

void ant__done_unlock(ant_chan *done)
{
    ant__unlock(&done->lock);
}

void ant__done_quit(ant_chan *done, struct ant__wait *w)
{
    ant__lock(&done->lock);
    ant__queue_remove(w);
    ant__unlock(&done->lock);
}
