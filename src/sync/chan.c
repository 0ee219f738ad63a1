/* chan.c - channels.
 *
 * A ring of elements and two queues of waiters under one lock. Of the queues at least one is empty;
 * receivers wait only while the ring is empty, senders only while it is full. Whoever finds a
 * waiter on the other side does that one's part too: copies the element from or to where the waiter
 * wants it, and wakes it when it has let go of the lock. So nobody is woken in vain, and order is
 * kept: a sender that waited at a full ring gets the slot that a receive has just emptied.
 *
 * A waiter's record lies on its stack. It is seen by others only under the lock, which a goroutine
 * that parks holds until it is off its stack (commit_unlock). Once its result is there and it is
 * readied it may be gone, so its G is read before.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/runtime.h"

struct wait {
    struct wait *next;
    struct ant__g *g; /* NULL: a thread */
    void *elem;
    bool done; /* false when woken: the channel was closed */
    struct ant__waiter thread;
};

struct queue {
    struct wait *head, *tail;
};

struct ant_chan {
    struct ant__lock lock;
    bool closed;
    _Atomic size_t len;
    size_t cap, elem_size;
    size_t recv_at, send_at; /* slots of the ring */
    struct queue receivers, senders;
    char ring[];
};

/* ---- queues and elements ---- */

static void push(struct queue *q, struct wait *w)
{
    w->next = NULL;
    if (q->head)
        q->tail->next = w;
    else
        q->head = w;
    q->tail = w;
}

static struct wait *pop(struct queue *q)
{
    struct wait *w = q->head;

    if (w)
        q->head = w->next;
    return w;
}

static void copy(void *to, const void *from, size_t size)
{
    if (!to)
        return;
    if (ant__likely(size == sizeof(void *)))
        memcpy(to, from, sizeof(void *)); /* one instruction each way */
    else if (size > 0)
        memcpy(to, from, size);
}

static void clear(const ant_chan *c, void *elem)
{
    if (elem && c->elem_size > 0)
        memset(elem, 0, c->elem_size);
}

static void ring_put(ant_chan *c, const void *elem)
{
    copy(c->ring + c->send_at * c->elem_size, elem, c->elem_size);
    if (++c->send_at == c->cap)
        c->send_at = 0;
    ant__store_relaxed(&c->len, ant__load_relaxed(&c->len) + 1);
}

static void ring_get(ant_chan *c, void *elem)
{
    copy(elem, c->ring + c->recv_at * c->elem_size, c->elem_size);
    if (++c->recv_at == c->cap)
        c->recv_at = 0;
    ant__store_relaxed(&c->len, ant__load_relaxed(&c->len) - 1);
}

/* Sends if that is possible now: 0, -EAGAIN or ANT_ECLOSED; *ret_wake: whom to wake. Under the
 * lock. */
static int put(ant_chan *c, const void *elem, struct wait **ret_wake)
{
    struct wait *w;

    if (ant__unlikely(c->closed))
        return ANT_ECLOSED;
    w = pop(&c->receivers);
    if (w) {
        copy(w->elem, elem, c->elem_size);
        w->done = true;
        *ret_wake = w;
        return 0;
    }
    if (ant__load_relaxed(&c->len) == c->cap)
        return -EAGAIN;
    ring_put(c, elem);
    return 0;
}

/* The same for receiving. */
static int get(ant_chan *c, void *elem, struct wait **ret_wake)
{
    struct wait *w;

    if (ant__load_relaxed(&c->len) > 0) {
        ring_get(c, elem);
        w = pop(&c->senders);
        if (w)
            ring_put(c, w->elem);
    } else {
        w = pop(&c->senders);
        if (w)
            copy(elem, w->elem, c->elem_size);
        else if (!c->closed)
            return -EAGAIN;
        else
            return clear(c, elem), ANT_ECLOSED;
    }
    if (w)
        w->done = true;
    *ret_wake = w;
    return 0;
}

/* ---- waiting ---- */

static void wake(struct ant__m *m, struct wait *w)
{
    struct ant__g *g;

    if (!w)
        return;
    g = w->g;
    if (g) {
        g->next = NULL;
        ant__wake_gs(m, g);
    } else {
        ant__wake_threads(&w->thread);
    }
}

static bool commit_unlock(struct ant__m *m, struct ant__g *g, void *c)
{
    ant__unlock(&((ant_chan *)c)->lock);
    return true;
}

/* Waits in q until somebody has done our part. Called with the lock, returns without. */
static bool wait_in(struct queue *q, ant_chan *c, void *elem, struct ant__m **m,
                    enum ant__reason reason)
{
    struct wait w = {.g = *m ? (*m)->g : NULL, .elem = elem};

    push(q, &w);
    if (*m) {
        *m = ant__park(*m, reason, commit_unlock, c);
    } else {
        ant__unlock(&c->lock);
        ant__wait_as_thread(&w.thread);
    }
    return w.done;
}

static bool commit_nothing(struct ant__m *m, struct ant__g *g, void *arg)
{
    return true;
}

ANT_NORETURN static void wait_for_ever(enum ant__reason reason)
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

static inline void leave(struct ant__m *m)
{
    if (m)
        ant__leave(m);
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

int ant_chan_destroy(ant_chan *c)
{
    bool busy;

    if (!c)
        return 0;
    ant__lock(&c->lock);
    busy = c->receivers.head || c->senders.head;
    ant__unlock(&c->lock);
    if (busy)
        return -EBUSY;
    free(c);
    return 0;
}

void ant_chan_send(ant_chan *c, const void *elem)
{
    struct wait *waiter = NULL;
    struct ant__m *m;
    int err;

    if (ant__unlikely(!c))
        wait_for_ever(ANT__WAIT_SEND_NULL);
    m = ant__enter();
    ant__lock(&c->lock);
    err = put(c, elem, &waiter);
    if (err == -EAGAIN) {
        if (!wait_in(&c->senders, c, (void *)elem, &m, ANT__WAIT_SEND))
            err = ANT_ECLOSED;
    } else {
        ant__unlock(&c->lock);
        wake(m, waiter);
    }
    leave(m);
    if (ant__unlikely(err == ANT_ECLOSED))
        ant_panic("ant_chan_send: the channel is closed");
}

bool ant_chan_recv(ant_chan *c, void *ret_elem)
{
    struct wait *waiter = NULL;
    struct ant__m *m;
    bool received;
    int err;

    if (ant__unlikely(!c))
        wait_for_ever(ANT__WAIT_RECV_NULL);
    m = ant__enter();
    ant__lock(&c->lock);
    err = get(c, ret_elem, &waiter);
    if (err == -EAGAIN) {
        received = wait_in(&c->receivers, c, ret_elem, &m, ANT__WAIT_RECV);
    } else {
        ant__unlock(&c->lock);
        wake(m, waiter);
        received = err == 0;
    }
    leave(m);
    return received;
}

static inline int attempt(ant_chan *c, void *elem, bool sending)
{
    struct wait *waiter = NULL;
    struct ant__m *m;
    int err;

    if (!c)
        return -EAGAIN;
    m = ant__enter();
    ant__lock(&c->lock);
    err = sending ? put(c, elem, &waiter) : get(c, elem, &waiter);
    ant__unlock(&c->lock);
    wake(m, waiter);
    leave(m);
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

/* Takes all out of q, to be woken with nothing done: goroutines and threads apart. */
static void take_all(ant_chan *c, struct queue *q, bool receivers, struct ant__g **gs,
                     struct ant__waiter **threads)
{
    struct wait *w;

    while ((w = pop(q))) {
        if (receivers)
            clear(c, w->elem);
        if (w->g) {
            w->g->next = *gs;
            *gs = w->g;
        } else {
            w->thread.next = *threads;
            *threads = &w->thread;
        }
    }
}

void ant_chan_close(ant_chan *c)
{
    struct ant__waiter *threads = NULL;
    struct ant__g *gs = NULL;
    struct ant__m *m;
    bool closed;

    if (!c)
        ant_panic("ant_chan_close: the channel is NULL");
    m = ant__enter();
    ant__lock(&c->lock);
    closed = c->closed;
    c->closed = true;
    take_all(c, &c->receivers, true, &gs, &threads);
    take_all(c, &c->senders, false, &gs, &threads);
    ant__unlock(&c->lock);
    ant__wake_threads(threads);
    ant__wake_gs(m, gs);
    leave(m);
    if (closed)
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
