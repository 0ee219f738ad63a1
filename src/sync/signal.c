/* signal.c - signals delivered on channels, and contexts that they end.
 *
 * All who want a signal are in one list. Its lock orders catching and letting go too, so that a
 * signal is caught if and only if somebody in the list wants it. A channel is sent to under the
 * lock: the thread that has taken it out of the list knows that nobody touches it any more. A context is taken
 * out of the list, with a hold on it, and canceled without the lock, since canceling comes back
 * here.
 *
 * sysmon delivers, with the flag sysmon_looks. It takes the list's lock before those of channels,
 * and never waits for a goroutine. The lock is taken inside of the runtime only: nobody is
 * abandoned with it.
 */
#include <stdlib.h>

#include "runtime/signals.h"
#include "sync/context.h"

static struct {
    struct ant__lock lock;
    struct ant__signal_want *first;
    int wanted[ANT__SIGNALS]; /* how many want it */
} list;

/* ---- the list; under its lock ---- */

static void let_go_all(uint64_t signals)
{
    for (int signal = 1; signal < ANT__SIGNALS; signal++) {
        if (signals & ant__signal_bit(signal) && --list.wanted[signal] == 0)
            ant__signal_let_go(signal);
    }
}

/* All or none. */
static int catch_all(uint64_t signals)
{
    uint64_t caught = 0;
    int err = 0;

    for (int signal = 1; signal < ANT__SIGNALS && !err; signal++) {
        if (!(signals & ant__signal_bit(signal)))
            continue;
        if (list.wanted[signal] == 0)
            err = ant__signal_catch(signal);
        if (err)
            break;
        list.wanted[signal]++;
        caught |= ant__signal_bit(signal);
    }
    if (err)
        let_go_all(caught);
    return err;
}

static void link_want(struct ant__signal_want *w)
{
    w->next = list.first;
    w->link = &list.first;
    if (w->next)
        w->next->link = &w->next;
    list.first = w;
}

static void unlink_want(struct ant__signal_want *w)
{
    *w->link = w->next;
    if (w->next)
        w->next->link = w->link;
    w->link = NULL;
    let_go_all(w->signals);
}

static struct ant__signal_want *find(const ant_chan *c)
{
    struct ant__signal_want *w = list.first;

    while (w && w->chan != c)
        w = w->next;
    return w;
}

void ant__signal_want_quit(struct ant__signal_want *want)
{
    ant__lock(&list.lock);
    if (want->link)
        unlink_want(want);
    ant__unlock(&list.lock);
}

/* ---- delivering ---- */

static void send_all(ant_chan *c, int signal, uint32_t n)
{
    while (n > 0 && ant_chan_try_send(c, &signal) == 0)
        n--;
}

/* Returns the contexts, out of the list and held. */
static struct ant__signal_want *deliver_to_all(int signal, uint32_t n)
{
    struct ant__signal_want *due = NULL, *w, *next;

    ant__lock(&list.lock);
    for (w = list.first; w; w = next) {
        next = w->next;
        if (!(w->signals & ant__signal_bit(signal)))
            continue;
        if (!w->ctx) {
            send_all(w->chan, signal, n);
        } else if (ant__ctx_hold(w->ctx)) {
            unlink_want(w);
            w->next = due;
            due = w;
        }
    }
    ant__unlock(&list.lock);
    return due;
}

static void deliver(void)
{
    for (int signal = 1; signal < ANT__SIGNALS; signal++) {
        uint32_t n = ant__signal_take(signal);
        struct ant__signal_want *due = n ? deliver_to_all(signal, n) : NULL;

        while (due) {
            ant_ctx *ctx = due->ctx;

            due = due->next;
            ant__ctx_cancel_held(ctx, ANT_ESIGNAL);
        }
    }
}

static void forget(void)
{
    struct ant__signal_want *w;

    ant__lock(&list.lock);
    while ((w = list.first)) {
        unlink_want(w);
        if (!w->ctx)
            free(w);
    }
    ant__unlock(&list.lock);
}

static bool awaited(void)
{
    bool found = false;

    if (!ant__trylock(&list.lock)) {
        ant__sysmon_suspect_deadlock(); /* looks again */
        return true;
    }
    for (struct ant__signal_want *w = list.first; w && !found; w = w->next)
        found = w->ctx ? ant__ctx_is_awaited(w->ctx) : ant__queue_head(&w->chan->receivers) != NULL;
    ant__unlock(&list.lock);
    return found;
}

static const struct ant__signal_user user = {deliver, forget, awaited};

/* ---- the calls ---- */

static bool enter(struct ant__m **ret_m)
{
    *ret_m = ant__enter();
    return *ret_m || ant__foreign_enter();
}

static void leave(struct ant__m *m)
{
    if (m)
        ant__leave(m);
    else
        ant__foreign_leave();
}

static int bits_of(const int *signals, int n, uint64_t *ret_bits)
{
    *ret_bits = 0;
    for (int i = 0; i < n; i++) {
        if (!ant__signal_is_catchable(signals[i]))
            return -EINVAL;
        *ret_bits |= ant__signal_bit(signals[i]);
    }
    return 0;
}

static int want_new(struct ant__signal_want **ret_want)
{
    void *memory;
    int err = ant__alloc(&memory, sizeof **ret_want);

    if (!err)
        *ret_want = memory;
    return err;
}

/* Under the lock. */
static int add_chan(ant_chan *c, uint64_t signals)
{
    struct ant__signal_want *w = find(c);
    int err = 0;

    if (w)
        signals &= ~w->signals;
    else
        err = want_new(&w);
    if (err)
        return err;
    err = catch_all(signals);
    if (!err) {
        w->signals |= signals;
        w->chan = c;
    }
    if (!err && !w->link)
        link_want(w);
    if (!w->link)
        free(w);
    return err;
}

int ant_signal_notify(ant_chan *c, const int *signals, int n)
{
    struct ant__m *m;
    uint64_t bits;
    int err;

    if (!c || c->elem_size != sizeof(int) || !signals || n < 1)
        return -EINVAL;
    if (!enter(&m))
        return ANT_ENOTRUNNING;
    ant__store_release(&ant__signal_user, &user);
    err = bits_of(signals, n, &bits);
    if (!err) {
        ant__lock(&list.lock);
        err = add_chan(c, bits);
        ant__unlock(&list.lock);
    }
    leave(m);
    return err;
}

void ant_signal_stop(ant_chan *c)
{
    struct ant__m *m = ant__enter();
    struct ant__signal_want *w;

    ant__lock(&list.lock);
    w = c ? find(c) : NULL;
    if (w)
        unlink_want(w);
    ant__unlock(&list.lock);
    ant__leave_any(m);
    free(w);
}

/* If it is done already it is not listed: whoever made it done has looked there before. */
static int add_ctx(struct ant__signal_want *w)
{
    int err = 0;

    ant__lock(&list.lock);
    if (ant_ctx_err(w->ctx) == 0) {
        err = catch_all(w->signals);
        if (!err)
            link_want(w);
    }
    ant__unlock(&list.lock);
    return err;
}

static int listen_for(struct ant__signal_want *w, const int *signals, int n)
{
    struct ant__m *m;
    int err;

    if (!enter(&m))
        return ANT_ENOTRUNNING;
    ant__store_release(&ant__signal_user, &user);
    err = bits_of(signals, n, &w->signals);
    if (!err)
        err = add_ctx(w);
    leave(m);
    return err;
}

int ant_ctx_with_signals(ant_ctx **ret_ctx, ant_ctx *parent, const int *signals, int n)
{
    struct ant__signal_want *w;
    ant_ctx *ctx;
    int err = ret_ctx && signals && n > 0 ? want_new(&w) : -EINVAL;

    if (err)
        return err;
    err = ant__ctx_with_want(&ctx, parent, w);
    if (err)
        return err;
    err = listen_for(w, signals, n);
    if (err)
        ant_ctx_unref(ctx);
    else
        *ret_ctx = ctx;
    return err;
}
