/* context.c - contexts.
 *
 * A tree by parent pointers, of which each child holds a reference. Of two kinds: those with a
 * state of their own, which can be canceled, and those that only carry a value. `source` is the
 * nearest one with a state, which tells for the others too.
 *
 * Canceling sets err, closes the done channel and goes on to the children, which are known to the
 * source above them by a list under its lock. The list holds no references: a child takes itself
 * out of it at the end of its life, under that lock. So who finds a child there finds its memory,
 * but its last reference may be gone already: it then leaves it alone (try_ref).
 *
 * The timer of a deadline holds none either: when it fires it tries to take one, under the lock of
 * its wheel, for the list of contexts that have expired, and starts a goroutine that cancels those.
 * Who frees the context disarms the timer before, which waits for that lock. The reference is the
 * list's and not the goroutine's, since that may never run, if the runtime stops: then the stop cancels
 * them, while the stacks are still there on which those lie who waited.
 *
 * A context of a scope (ant_timeout) lies in the frame of its user, with its channel. It is like the
 * others, but nobody frees it. Its end waits until nobody is at it any more. Those who cancel take
 * holds, which are counted apart from references: a hold is given back within a few instructions, and
 * the end waits for it. A reference may be kept for ever, and is a mistake.
 */
#include <errno.h>
#include <stdlib.h>

#include "sync/context.h"

enum { DEEP = 100 }; /* generations that are looked at for who waits */

/* What is counted in refs. */
#define ONE ((uint64_t)1)        /* a reference, that the program has, or a child */
#define HOLD ((uint64_t)1 << 32) /* the same, for as long as somebody cancels */

struct ant_ctx {
    _Atomic uint64_t refs;
    ant_ctx *parent;
    ant_ctx *source; /* itself if it has a state; NULL: it is never done */
    const void *key; /* NULL: no value */
    void *value;
    ant_time deadline; /* ANT__NEVER: none */

    /* The state. */
    ant_chan *done;
    struct ant__lock lock;
    _Atomic int err, cause;
    ant_ctx *children; /* under lock */
    ant_ctx *next;     /* in the list of the parent's source, under its lock ... */
    ant_ctx **link;    /* ... NULL: in none */
    struct ant__timer timer;
    ant_ctx *next_expired;
    bool in_frame;                 /* of an ant_timeout */
    struct ant__signal_want *want; /* or NULL; stays as it is */
};

/* Contexts whose time has come, and that are to be canceled. */
static struct {
    struct ant__lock lock;
    ant_ctx *first;
} expired;

/* ---- references ---- */

ant_ctx *ant_ctx_ref(ant_ctx *ctx)
{
    if (ctx)
        atomic_fetch_add_explicit(&ctx->refs, ONE, memory_order_relaxed);
    return ctx;
}

/* False: the last reference is gone, and ctx about to be freed. */
static bool try_hold(ant_ctx *ctx)
{
    uint64_t refs = ant__load_relaxed(&ctx->refs);

    while (refs > 0) {
        if (atomic_compare_exchange_weak_explicit(&ctx->refs, &refs, refs + HOLD,
                                                  memory_order_relaxed, memory_order_relaxed))
            return true;
    }
    return false;
}

static void unlink_child(ant_ctx *ctx)
{
    if (!ctx->link)
        return;
    *ctx->link = ctx->next;
    if (ctx->next)
        ctx->next->link = ctx->link;
    ctx->link = NULL;
}

static void quit_parent(ant_ctx *ctx)
{
    ant_ctx *above = ctx->parent ? ctx->parent->source : NULL;

    if (!above)
        return;
    ant__lock(&above->lock);
    unlink_child(ctx);
    ant__unlock(&above->lock);
}

static void quit_signals(ant_ctx *ctx)
{
    if (ctx->want)
        ant__signal_want_quit(ctx->want);
}

/* Gives a reference or a hold back. What is dead then, ctx and perhaps ancestors, goes to *dead. Inside
 * the runtime. */
static void drop(struct ant__m *m, ant_ctx *ctx, uint64_t share, ant_ctx **dead)
{
    /* release and acquire: what others did with ctx is done before it is freed */
    while (ctx && atomic_fetch_sub_explicit(&ctx->refs, share, memory_order_acq_rel) == share) {
        if (ctx->source == ctx) {
            ant__timer_stop_inside(m, &ctx->timer);
            quit_parent(ctx);
            quit_signals(ctx);
        }
        ctx->next = *dead;
        *dead = ctx;
        ctx = ctx->parent;
        share = ONE;
    }
}

static void bury(ant_ctx *dead)
{
    while (dead) {
        ant_ctx *ctx = dead;

        dead = ctx->next;
        if (ctx->in_frame)
            ant__fatal("ant_ctx_unref: the context of an ant_timeout ends with its scope");
        ant__chan_free(ctx->done); /* also if goroutines waited when the runtime was stopped */
        free(ctx->want);
        free(ctx);
    }
}

void ant_ctx_unref(ant_ctx *ctx)
{
    ant_ctx *dead = NULL;
    struct ant__m *m;

    if (!ctx)
        return;
    m = ant__enter();
    drop(m, ctx, ONE, &dead);
    ant__leave_any(m);
    bury(dead);
}

/* ---- being done ---- */

/* Takes the children of ctx, which the caller has locked, to the front of *list, with a hold on
 * each. They stay linked by next. */
static void take_children(ant_ctx *ctx, ant_ctx **list)
{
    ant_ctx *child;

    while ((child = ctx->children)) {
        unlink_child(child);
        if (!try_hold(child))
            continue;
        child->next = *list;
        *list = child;
    }
}

static void cancel_one(struct ant__m *m, ant_ctx *ctx, int err, int cause, ant_ctx **children)
{
    bool first;

    ant__lock(&ctx->lock);
    first = ant__load_relaxed(&ctx->err) == 0;
    if (first) {
        ant__store_relaxed(&ctx->cause, cause);
        ant__store_release(&ctx->err, err); /* release: who sees it sees the cause */
        take_children(ctx, children);
    }
    ant__unlock(&ctx->lock);
    if (!first)
        return;
    ant__timer_stop_inside(m, &ctx->timer);
    ant__chan_close(m, ctx->done);
    quit_parent(ctx);
    quit_signals(ctx);
}

/* One after the other, not by recursion: a long line of contexts must not need a deep stack. All of
 * it inside the runtime: a stop must not cut it off in the middle. Who takes a child off its list
 * owns its link from then on. */
static void cancel_inside(struct ant__m *m, ant_ctx *ctx, int err, int cause, ant_ctx **dead)
{
    ant_ctx *left = NULL, *child;

    cancel_one(m, ctx, err, cause, &left);
    while ((child = left)) {
        left = child->next;
        cancel_one(m, child, err, cause, &left);
        drop(m, child, HOLD, dead);
    }
}

static void cancel(ant_ctx *ctx, int err, int cause)
{
    struct ant__m *m = ant__enter();
    ant_ctx *dead = NULL;

    /* Who is woken may give the caller's reference back at once, or end its scope. */
    atomic_fetch_add_explicit(&ctx->refs, HOLD, memory_order_relaxed);
    cancel_inside(m, ctx, err, cause, &dead);
    drop(m, ctx, HOLD, &dead);
    ant__leave_any(m);
    bury(dead);
}

void ant_ctx_cancel_cause(ant_ctx *ctx, int cause)
{
    if (ctx && ctx->source == ctx)
        cancel(ctx, ANT_ECANCELED, cause ? cause : ANT_ECANCELED);
}

void ant_ctx_cancel(ant_ctx *ctx)
{
    ant_ctx_cancel_cause(ctx, 0);
}

static ant_ctx *take_expired(void)
{
    ant_ctx *ctx;

    ant__lock(&expired.lock);
    ctx = expired.first;
    if (ctx)
        expired.first = ctx->next_expired;
    ant__unlock(&expired.lock);
    return ctx;
}

static void cancel_expired(void *arg)
{
    struct ant__m *m = ant__enter();
    ant_ctx *dead = NULL, *ctx;

    while ((ctx = take_expired())) {
        cancel_inside(m, ctx, ANT_ETIMEOUT, ANT_ETIMEOUT, &dead);
        drop(m, ctx, HOLD, &dead);
    }
    ant__leave_any(m);
    bury(dead);
}

static void cancel_left(void)
{
    cancel_expired(NULL);
}

static ant_time fire(struct ant__timer *t, struct ant__p *p, struct ant__glist *out)
{
    ant_ctx *ctx = ant__container_of(t, ant_ctx, timer);
    ant_time again = ant__timer_go(p, cancel_expired, NULL, out);

    if (again || !try_hold(ctx))
        return again;
    ant__lock(&expired.lock);
    ctx->next_expired = expired.first;
    expired.first = ctx;
    ant__unlock(&expired.lock);
    return 0;
}

/* ---- making them ---- */

static void inherit(ant_ctx *ctx, ant_ctx *parent)
{
    ctx->refs = ONE;
    ctx->parent = parent;
    ctx->source = parent ? parent->source : NULL;
    ctx->deadline = parent ? parent->deadline : ANT__NEVER;
}

static int make(ant_ctx **ret_ctx, ant_ctx *parent)
{
    void *memory;
    int err;

    if (!ret_ctx)
        return -EINVAL;
    err = ant__alloc(&memory, sizeof(ant_ctx)); /* zero-filled */
    if (err)
        return err;
    *ret_ctx = memory;
    inherit(*ret_ctx, ant_ctx_ref(parent));
    return 0;
}

/* Among the children of the parent's source; if that is done, so is ctx. */
static void join_parent(ant_ctx *ctx, ant_ctx *above)
{
    struct ant__m *m = ant__enter();
    int err;

    ant__lock(&above->lock);
    err = ant__load_relaxed(&above->err);
    if (!err) {
        ctx->next = above->children;
        ctx->link = &above->children;
        if (ctx->next)
            ctx->next->link = &ctx->next;
        above->children = ctx;
    }
    ant__unlock(&above->lock);
    ant__leave_any(m);
    if (err)
        cancel(ctx, err, ant__load_relaxed(&above->cause));
}

/* Gives it a state of its own. */
static void begin_state(ant_ctx *ctx, ant_chan *done)
{
    ant_ctx *above = ctx->source;

    ctx->done = done;
    ctx->source = ctx;
    ctx->timer.fire = fire;
    if (above)
        join_parent(ctx, above);
}

/* For one that nobody knows yet but its maker. */
static int set_deadline(ant_ctx *ctx, ant_time deadline)
{
    ant__store_relaxed(&ant__cancel_left, cancel_left);
    if (deadline >= ctx->deadline)
        return 0;
    ctx->deadline = deadline;
    if (deadline > ant__now())
        return ant_ctx_err(ctx) ? 0 : ant__timer_start(&ctx->timer, deadline);
    cancel(ctx, ANT_ETIMEOUT, ANT_ETIMEOUT);
    return 0;
}

static ant_time time_after(ant_duration d)
{
    return d > 0 ? ant__time_add(ant__now(), d) : 0;
}

int ant__ctx_with_want(ant_ctx **ret_ctx, ant_ctx *parent, struct ant__signal_want *want)
{
    ant_chan *done;
    ant_ctx *ctx;
    int err = ret_ctx ? make(&ctx, parent) : -EINVAL;

    if (err) {
        free(want);
        return err;
    }
    ctx->want = want;
    if (want)
        want->ctx = ctx;
    err = ant_chan_new(&done, 0, 0);
    if (err) {
        ant_ctx_unref(ctx);
        return err;
    }
    begin_state(ctx, done);
    *ret_ctx = ctx;
    return 0;
}

int ant_ctx_with_cancel(ant_ctx **ret_ctx, ant_ctx *parent)
{
    return ant__ctx_with_want(ret_ctx, parent, NULL);
}

int ant_ctx_with_deadline(ant_ctx **ret_ctx, ant_ctx *parent, ant_time deadline)
{
    ant_ctx *ctx;
    int err = ret_ctx ? ant_ctx_with_cancel(&ctx, parent) : -EINVAL;

    if (err)
        return err;
    err = set_deadline(ctx, deadline);
    if (err) {
        ant_ctx_unref(ctx);
        return err;
    }
    *ret_ctx = ctx;
    return 0;
}

int ant_ctx_with_timeout(ant_ctx **ret_ctx, ant_ctx *parent, ant_duration timeout)
{
    return ant_ctx_with_deadline(ret_ctx, parent, time_after(timeout));
}

int ant_ctx_with_value(ant_ctx **ret_ctx, ant_ctx *parent, const void *key, void *value)
{
    int err = key ? make(ret_ctx, parent) : -EINVAL;

    if (err)
        return err;
    (*ret_ctx)->key = key;
    (*ret_ctx)->value = value;
    return 0;
}

int ant_ctx_without_cancel(ant_ctx **ret_ctx, ant_ctx *parent)
{
    int err = make(ret_ctx, parent);

    if (err)
        return err;
    (*ret_ctx)->source = NULL;
    (*ret_ctx)->deadline = ANT__NEVER;
    return 0;
}

/* ---- for signals ---- */

bool ant__ctx_hold(ant_ctx *ctx)
{
    return try_hold(ctx);
}

void ant__ctx_cancel_held(ant_ctx *ctx, int cause)
{
    struct ant__m *m = ant__enter();
    ant_ctx *dead = NULL;

    cancel_inside(m, ctx, ANT_ECANCELED, cause, &dead);
    drop(m, ctx, HOLD, &dead);
    ant__leave_any(m);
    bury(dead);
}

/* Looks at the descendants too, down to a depth that no stack is too small for. */
static bool is_awaited(ant_ctx *ctx, int depth)
{
    bool found = ant__queue_head(&ctx->done->receivers) != NULL;

    if (found)
        return true;
    if (depth == 0 || !ant__trylock(&ctx->lock)) {
        ant__sysmon_suspect_deadlock(); /* looks again */
        return true;
    }
    for (ant_ctx *child = ctx->children; child && !found; child = child->next)
        found = is_awaited(child, depth - 1);
    ant__unlock(&ctx->lock);
    return found;
}

bool ant__ctx_is_awaited(ant_ctx *ctx)
{
    return is_awaited(ctx, DEEP);
}

/* ---- of a scope ---- */

struct frame {
    ant_ctx ctx;
    ant_defer_node node;
    ant_chan done;
};

_Static_assert(sizeof(struct frame) <= sizeof(ant_timeout), "ant_timeout is too small");

static bool is_held(const ant_ctx *ctx)
{
    /* acquire: what those who gave their holds back did with ctx is done before its frame is left */
    return atomic_load_explicit(&((ant_ctx *)ctx)->refs, memory_order_acquire) >= HOLD;
}

/* From the timer and the parent nobody comes to ctx any more. Those that have come give their holds
 * back. The goroutine that is to cancel the expired may wait for our P: so we do its work. */
static void await_holders(ant_ctx *ctx)
{
    if (is_held(ctx))
        cancel_expired(NULL);
    while (is_held(ctx))
        ant_yield();
}

static void end_scope(void *arg)
{
    ant_ctx *ctx = arg;
    struct ant__m *m = ant__enter();

    ant__timer_stop_inside(m, &ctx->timer);
    quit_parent(ctx);
    ant__leave_any(m);
    await_holders(ctx);
    if (ant__load_relaxed(&ctx->refs) != ONE)
        ant__fatal("the scope of an ant_timeout was left while somebody had a reference to its "
                   "context: a child that was not unrefed, or an ant_ctx_ref");
    ant_ctx_unref(ctx->parent);
}

ant_ctx *ant_timeout_begin(ant_timeout *timeout, ant_ctx *parent, ant_duration d)
{
    struct frame *f = (struct frame *)timeout;
    int err;

    if (!timeout)
        ant__fatal("ant_timeout_begin: the ant_timeout is NULL");
    memset(f, 0, sizeof *f);
    f->ctx.in_frame = true;
    inherit(&f->ctx, ant_ctx_ref(parent));
    begin_state(&f->ctx, &f->done);
    ant_defer(&f->node, end_scope, &f->ctx);
    err = set_deadline(&f->ctx, time_after(d));
    if (err)
        cancel(&f->ctx, err, err);
    return &f->ctx;
}

void ant_timeout_end(ant_timeout *timeout)
{
    if (!timeout)
        ant__fatal("ant_timeout_end: the ant_timeout is NULL");
    ant_defer_end(&((struct frame *)timeout)->node);
}

/* ---- asking them ---- */

int ant_ctx_err(const ant_ctx *ctx)
{
    /* acquire: who sees the error sees what was done before the cancel */
    return ctx && ctx->source ? ant__load_acquire(&ctx->source->err) : 0;
}

int ant_ctx_cause(const ant_ctx *ctx)
{
    return ant_ctx_err(ctx) ? ant__load_relaxed(&ctx->source->cause) : 0;
}

ant_chan *ant_ctx_done(const ant_ctx *ctx)
{
    return ctx && ctx->source ? ctx->source->done : NULL;
}

bool ant_ctx_deadline(const ant_ctx *ctx, ant_time *ret_deadline)
{
    if (!ctx || ctx->deadline == ANT__NEVER)
        return false;
    if (ret_deadline)
        *ret_deadline = ctx->deadline;
    return true;
}

void *ant_ctx_value(const ant_ctx *ctx, const void *key)
{
    for (; ctx && key; ctx = ctx->parent) {
        if (ctx->key == key)
            return ctx->value;
    }
    return NULL;
}
