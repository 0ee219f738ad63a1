/* context.h - contexts that a signal ends: what signal.c and context.c know of one another. */
#ifndef ANT_SYNC_CONTEXT_H
#define ANT_SYNC_CONTEXT_H

#include "sync/chan.h"

/* Somebody wants to be told of signals: a channel or a context. */
struct ant__signal_want {
    uint64_t signals; /* a bit for each */
    ant_chan *chan;
    ant_ctx *ctx;                          /* NULL: it is a channel */
    struct ant__signal_want *next, **link; /* in the list of all; link is NULL: not there */
};

/* ---- signal.c ---- */

void ant__signal_want_quit(struct ant__signal_want *want); /* if it is in the list */

/* ---- context.c ---- */

/* ant_ctx_with_cancel, with a want, which is not in the list yet. The context frees it. */
int ant__ctx_with_want(ant_ctx **ret_ctx, ant_ctx *parent, struct ant__signal_want *want);
/* False: nobody has a reference any more. Otherwise it lives until it is canceled. */
bool ant__ctx_hold(ant_ctx *ctx);
void ant__ctx_cancel_held(ant_ctx *ctx, int cause);
/* Somebody waits until ctx, or a descendant, is done; true also if that cannot be told now, and
 * sysmon is asked to look again. Does not wait for locks. */
bool ant__ctx_is_awaited(ant_ctx *ctx);

#endif
