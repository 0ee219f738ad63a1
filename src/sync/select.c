/* select.c - the first of several sends and receives that is possible.
 *
 * All channels are locked at once, by rising address, so that the answer is right for one moment:
 * with a default case nothing else would do. If a case is possible it is done. Else the sleeper
 * puts a record into a queue of each channel and parks; the commit of its parking unlocks the
 * channels in the same order. Whoever takes the sleeper (sleep.h) has done its case.
 *
 * The order of the locks lies on the sleeper's stack, and may be read by the commit after the
 * sleeper was woken by a channel that is unlocked already. But before the sleeper returns it
 * takes its records out of the other channels, for which it must lock them: those behind
 * the one that woke it are unlocked by then, the last one as the commit's last act.
 *
 * Rejected: trying the channels one by one first. It is faster if the first one tried is ready, but
 * two cases that are ready by turns could both be missed, and a default taken wrongly.
 */
#include <stdlib.h>

#include "sync/chan.h"

/* So many cases need no memory but the stack. */
enum { ON_STACK = 16, ON_SMALL_STACK = 3 };

struct entry {
    struct ant__wait wait;
    ant_chan *chan;
    bool sends;
    int at; /* of its case; -1: the context */
};

struct selection {
    struct entry *entries;
    struct entry **by_chance, **by_address;
    int n;
};

/* ---- orders ---- */

static uint32_t random_below(struct ant__m *m, uint32_t n)
{
    static _Atomic uint32_t count;
    uint32_t random;

    if (m) {
        random = ant__random_next(&m->p->random);
    } else {
        /* a thread without P: numbers in a row, well stirred */
        random = atomic_fetch_add_explicit(&count, 1, memory_order_relaxed) * 0x9e3779b9u;
        random = (random ^ random >> 16) * 0x85ebca6bu;
        random ^= random >> 13;
    }
    return (uint32_t)((uint64_t)random * n >> 32);
}

/* Inside out: each entry takes the place of a random one before it, or its own. */
static void shuffle(struct selection *s, struct ant__m *m)
{
    for (int i = 0; i < s->n; i++) {
        int j = (int)random_below(m, (uint32_t)i + 1);

        s->by_chance[i] = s->by_chance[j];
        s->by_chance[j] = &s->entries[i];
    }
}

static void sift_down(struct entry **heap, int root, int n)
{
    struct entry *sinking = heap[root];
    int child;

    while ((child = 2 * root + 1) < n) {
        if (child + 1 < n && (uintptr_t)heap[child + 1]->chan > (uintptr_t)heap[child]->chan)
            child++;
        if ((uintptr_t)heap[child]->chan <= (uintptr_t)sinking->chan)
            break;
        heap[root] = heap[child];
        root = child;
    }
    heap[root] = sinking;
}

/* By a heap: whatever order the cases come in, it takes no memory and no square of time. */
static void sort(struct selection *s)
{
    for (int i = 0; i < s->n; i++)
        s->by_address[i] = &s->entries[i];
    for (int i = s->n / 2 - 1; i >= 0; i--)
        sift_down(s->by_address, i, s->n);
    for (int i = s->n - 1; i > 0; i--) {
        struct entry *last = s->by_address[0];

        s->by_address[0] = s->by_address[i];
        s->by_address[i] = last;
        sift_down(s->by_address, 0, i);
    }
}

/* ---- locks ---- */

static void lock_all(struct selection *s)
{
    ant_chan *before = NULL;

    for (int i = 0; i < s->n; i++) {
        ant_chan *c = s->by_address[i]->chan;

        if (c != before)
            ant__lock(&c->lock);
        before = c;
    }
}

/* Touches nothing of the selection after the last unlock. */
static void unlock_all(const struct selection *s)
{
    struct entry **by_address = s->by_address;
    int n = s->n;

    for (int i = 0; i < n; i++) {
        ant_chan *c = by_address[i]->chan;

        if (i + 1 == n || by_address[i + 1]->chan != c)
            ant__unlock(&c->lock);
    }
}

static bool commit_unlock_all(struct ant__m *m, struct ant__g *g, void *s)
{
    unlock_all(s);
    return true;
}

/* ---- the three steps ---- */

/* Does the first case that is possible, and unlocks. NULL: none is, nothing done. */
static struct entry *try_all(struct selection *s, struct ant__m *m, int *ret_err)
{
    for (int i = 0; i < s->n; i++) {
        struct entry *e = s->by_chance[i];
        struct ant__wait *waiter = NULL;

        *ret_err = e->sends ? ant__chan_put(e->chan, e->wait.elem, &waiter)
                            : ant__chan_get(e->chan, e->wait.elem, &waiter);
        if (*ret_err == -EAGAIN)
            continue;
        unlock_all(s);
        ant__wake(m, waiter);
        return e;
    }
    return NULL;
}

/* Sleeps until one is done, or its channel closed. Unlocks. */
static struct entry *wait_for_any(struct selection *s, struct ant__m **m, int *ret_err)
{
    struct ant__sleeper sleeper;
    struct entry *e;

    ant__sleeper_init(&sleeper, *m, s->n > 1);
    for (int i = 0; i < s->n; i++) {
        e = s->by_chance[i]; /* in which order counts if a channel comes twice */
        ant__wait_init(&e->wait, &sleeper);
        ant__queue_push(e->sends ? &e->chan->senders : &e->chan->receivers, &e->wait);
    }
    *m = ant__sleep(*m, &sleeper, ANT__WAIT_SELECT, commit_unlock_all, s);
    e = ant__container_of(sleeper.woken_by, struct entry, wait);
    for (int i = 0; i < s->n; i++) {
        struct entry *other = s->by_address[i];

        if (other == e)
            continue;
        ant__lock(&other->chan->lock);
        ant__queue_remove(&other->wait);
        ant__unlock(&other->chan->lock);
    }
    *ret_err = e->wait.done ? 0 : ANT_ECLOSED;
    return e;
}

/* The chosen entry and how it ended, NULL: none was possible. */
static struct entry *choose(struct selection *s, bool may_wait, int *ret_err)
{
    struct ant__m *m = ant__enter();
    struct entry *e;

    shuffle(s, m);
    sort(s);
    lock_all(s);
    e = try_all(s, m, ret_err);
    if (!e && may_wait)
        e = wait_for_any(s, &m, ret_err);
    else if (!e)
        unlock_all(s);
    ant__leave_any(m);
    return e;
}

/* ---- the calls ---- */

static void add(struct selection *s, ant_chan *c, void *elem, bool sends, int at)
{
    struct entry *e = &s->entries[s->n];

    if (!c)
        return;
    e->chan = c;
    e->wait.elem = elem;
    e->sends = sends;
    e->at = at;
    s->n++;
}

static int select_among(struct selection *s, ant_case *cases, int n, int default_at, ant_ctx *ctx)
{
    struct entry *e;
    int err = 0;

    for (int i = 0; i < n; i++) {
        if (i != default_at)
            add(s, cases[i].chan, cases[i].elem, cases[i].kind == ANT_CASE_SEND, i);
    }
    add(s, ant_ctx_done(ctx), NULL, false, -1);
    if (s->n == 0) { /* then nothing will ever be possible */
        if (default_at >= 0)
            return default_at;
        ant__wait_for_ever(ANT__WAIT_SELECT_NULL);
    }
    e = choose(s, default_at < 0, &err);
    if (!e)
        return default_at;
    if (e->at < 0)
        return ant_ctx_err(ctx);
    if (!e->sends)
        cases[e->at].received = err == 0;
    else if (err)
        return ANT_ECLOSED;
    return e->at;
}

/* ANT_ECLOSED: a send was chosen whose channel is closed. */
static int select_any(ant_case *cases, int n, int default_at, ant_ctx *ctx)
{
    struct selection s = {0};
    void *memory;
    int err = ant_ctx_err(ctx);

    if (err)
        return err;
    if (n <= (ant__stack_is_small() ? ON_SMALL_STACK : ON_STACK)) {
        struct entry entries[n + 1], *orders[2 * (n + 1)];

        s.entries = entries;
        s.by_chance = orders;
        s.by_address = orders + n + 1;
        return select_among(&s, cases, n, default_at, ctx);
    }
    err = ant__alloc(&memory, ((size_t)n + 1) * (sizeof *s.entries + 2 * sizeof *s.by_chance));
    if (err)
        return err;
    s.entries = memory;
    s.by_chance = (struct entry **)(s.entries + n + 1);
    s.by_address = s.by_chance + n + 1;
    err = select_among(&s, cases, n, default_at, ctx);
    free(memory);
    return err;
}

/* Where the default case is, -1 if there is none; -EINVAL. */
static int find_default(const ant_case *cases, int n)
{
    int at = -1;

    if (n < 0 || (!cases && n > 0))
        return -EINVAL;
    for (int i = 0; i < n; i++) {
        if (cases[i].kind < ANT_CASE_RECV || cases[i].kind > ANT_CASE_DEFAULT ||
            (cases[i].kind == ANT_CASE_DEFAULT && at >= 0))
            return -EINVAL;
        if (cases[i].kind == ANT_CASE_DEFAULT)
            at = i;
    }
    return at;
}

int ant_select_ctx(ant_case *cases, int n, ant_ctx *ctx)
{
    int default_at = find_default(cases, n);
    int chosen;

    if (default_at < -1)
        return default_at;
    chosen = select_any(cases, n, default_at, ctx);
    if (chosen == ANT_ECLOSED)
        ant_panic("ant_select: a channel to send on is closed");
    return chosen;
}

int ant_select(ant_case *cases, int n)
{
    return ant_select_ctx(cases, n, NULL);
}

int ant_chan_send_ctx(ant_chan *c, const void *elem, ant_ctx *ctx)
{
    ant_case one = ANT_SEND(c, elem);

    return select_any(&one, 1, -1, ctx);
}

int ant_chan_recv_ctx(ant_chan *c, void *ret_elem, ant_ctx *ctx)
{
    ant_case one = ANT_RECV(c, ret_elem);
    int chosen = select_any(&one, 1, -1, ctx);

    return chosen == 0 && !one.received ? ANT_ECLOSED : chosen;
}
