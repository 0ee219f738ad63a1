/* sleep.h - who waits, in the queues of what it waits for.
 *
 * Whoever waits, goroutine or thread, is a sleeper, and has a wait record in a queue of each thing
 * it waits for; both lie on its stack. A queue is touched under the lock of its thing only. Who
 * waits holds these locks until it is off its stack (the commit of its parking lets go of them), so
 * whoever finds a record in a queue finds a sleeper that may be woken.
 *
 * Whoever wakes takes the sleeper out of the queue under the lock, does its part for it, lets go of
 * the lock, and then readies it. From that moment on the record and its stack may be gone. A
 * sleeper in several queues may be found by several at once: it belongs to the one who sets
 * `taken`, and the others drop its record and go on. The sleeper itself takes what is left of its
 * records out of their queues before it returns.
 */
#ifndef ANT_SYNC_SLEEP_H
#define ANT_SYNC_SLEEP_H

#include "runtime/runtime.h"

struct ant__wait;

struct ant__sleeper {
    struct ant__g *g; /* NULL: a thread */
    bool several;     /* it waits in several queues */
    _Atomic bool taken;
    struct ant__wait *woken_by; /* the record by which it was taken */
    struct ant__waiter thread;
};

struct ant__queue {
    _Atomic(struct ant__wait *)
        head; /* changed under the lock, but anyone may look if it is NULL */
    struct ant__wait *tail;
};

struct ant__wait {
    struct ant__wait *next, *prev;
    struct ant__queue *queue; /* NULL: in none */
    struct ant__sleeper *sleeper;
    bool done;  /* what it waited for was done for it */
    void *elem; /* of a channel: from where or to where */
    int64_t n;  /* of a semaphore: how many */
};

static inline struct ant__wait *ant__queue_head(struct ant__queue *q)
{
    return ant__load_relaxed(&q->head);
}

static ant__always_inline void ant__queue_push(struct ant__queue *q, struct ant__wait *w)
{
    w->queue = q;
    w->next = NULL;
    w->prev = ant__queue_head(q) ? q->tail : NULL;
    if (w->prev)
        w->prev->next = w;
    else
        ant__store_relaxed(&q->head, w);
    q->tail = w;
}

static inline void ant__queue_push_first(struct ant__queue *q, struct ant__wait *w)
{
    w->queue = q;
    w->prev = NULL;
    w->next = ant__queue_head(q);
    if (w->next)
        w->next->prev = w;
    else
        q->tail = w;
    ant__store_relaxed(&q->head, w);
}

/* Does nothing if w is in no queue. */
static ant__always_inline void ant__queue_remove(struct ant__wait *w)
{
    struct ant__queue *q = w->queue;

    if (!q)
        return;
    if (w->prev)
        w->prev->next = w->next;
    else
        ant__store_relaxed(&q->head, w->next);
    if (w->next)
        w->next->prev = w->prev;
    else
        q->tail = w->prev;
    w->queue = NULL;
}

/* Takes the sleeper of w, which is the first in its queue, out of there. False: it was taken by
 * somebody else, and only its record is gone. */
static ant__always_inline bool ant__wait_take(struct ant__wait *w)
{
    struct ant__sleeper *s = w->sleeper;

    ant__queue_remove(w);
    /* acquire, release: of two who meet here, the second knows what the first did before */
    if (ant__unlikely(s->several) &&
        atomic_exchange_explicit(&s->taken, true, memory_order_acq_rel))
        return false;
    s->woken_by = w;
    return true;
}

/* Takes the first that can be taken; NULL: there is none. */
static ant__always_inline struct ant__wait *ant__queue_take(struct ant__queue *q)
{
    struct ant__wait *w;

    while ((w = ant__queue_head(q))) {
        if (ant__likely(ant__wait_take(w)))
            return w;
    }
    return NULL;
}

/* Sleepers that were taken, in order, to be woken when all locks are let go. */
struct ant__woken {
    struct ant__g *gs, *last_g;
    struct ant__waiter *threads;
};

void ant__woken_add(struct ant__woken *woken, struct ant__sleeper *s);
void ant__woken_add_gs(struct ant__woken *woken, struct ant__g *gs); /* the last to be added */
void ant__wake_all(struct ant__m *m, struct ant__woken *woken);      /* m: as from ant__enter */

/* The same for one; w may be NULL. */
static ant__always_inline void ant__wake(struct ant__m *m, struct ant__wait *w)
{
    struct ant__sleeper *s;

    if (!w)
        return;
    s = w->sleeper;
    if (ant__likely(s->g != NULL)) {
        s->g->next = NULL;
        ant__wake_gs(m, s->g);
    } else {
        ant__wake_threads(&s->thread);
    }
}

/* Sleeps until somebody has taken s. commit(NULL, NULL, arg) lets go of the locks of all things in
 * whose queues s is, as the last that it does; false: not to sleep. Returns the M to go on with. */
static ant__always_inline struct ant__m *ant__sleep(struct ant__m *m, struct ant__sleeper *s,
                                                    enum ant__reason reason, ant__commit_fn *commit,
                                                    void *arg)
{
    if (ant__likely(m != NULL))
        return ant__park(m, reason, commit, arg);
    if (commit(NULL, NULL, arg))
        ant__wait_as_thread(&s->thread);
    return NULL;
}

/* These two set what is needed, and no more: they stand in the way of every message. */
static ant__always_inline void ant__sleeper_init(struct ant__sleeper *s, struct ant__m *m,
                                                 bool several)
{
    s->g = m ? m->g : NULL;
    s->several = several;
    if (several)
        ant__store_relaxed(&s->taken, false);
    if (!m)
        s->thread = (struct ant__waiter){0};
}

static ant__always_inline void ant__wait_init(struct ant__wait *w, struct ant__sleeper *s)
{
    w->queue = NULL;
    w->sleeper = s;
    w->done = false;
}

static inline void ant__leave_any(struct ant__m *m)
{
    if (ant__likely(m != NULL))
        ant__leave(m);
}

/* ---- giving up with a context ----
 *
 * A sleeper that is to be woken by a context too waits as a receiver of its done channel. */

struct ant__waiting {
    ant_chan *done; /* NULL: it does not give up */
    /* Lets go of what it waits for, and touches w no more after that. m: as for a commit. */
    void (*unlock)(struct ant__m *m, struct ant__waiting *w);
    struct ant__sleeper sleeper;
    struct ant__wait wait, done_wait;
};

/* First: m as from ant__enter. */
void ant__waiting_init(struct ant__waiting *w, struct ant__m *m, ant_chan *done,
                       void (*unlock)(struct ant__m *m, struct ant__waiting *w));
/* Then, with the lock of the thing, as the last lock to be taken. False: the context is done. */
bool ant__waiting_join(struct ant__waiting *w);
/* Then, with w->wait in a queue of the thing. Comes back without the lock. False: the context is
 * done, and w->wait may still be in the queue: the caller must take it out. */
bool ant__waiting_sleep(struct ant__waiting *w, struct ant__m **m, enum ant__reason reason);

/* In chan.c. Join the receivers of a done channel, and keep its lock; false: it is closed, no lock
 * is kept. */
bool ant__done_join(ant_chan *done, struct ant__wait *w);
void ant__done_unlock(ant_chan *done);
void ant__done_quit(ant_chan *done, struct ant__wait *w); /* takes the lock */

#endif
