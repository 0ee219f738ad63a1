/* rwmutex.c - the reader/writer mutex: a gate of which a reader takes one permit, and a writer
 * all. First come, first served, so a writer waits only for the readers before it. */
#include "sync/gate.h"

#define ALL ((int64_t)1 << 30)

_Static_assert(sizeof(ant_rwmutex) == sizeof(struct ant__gate), "a rwmutex is a gate");

static struct ant__gate *gate_of(ant_rwmutex *rw)
{
    return (struct ant__gate *)rw;
}

static inline int lock(ant_rwmutex *rw, int64_t n, ant_ctx *ctx)
{
    int err = ant_ctx_err(ctx);

    if (ant__unlikely(err))
        return err;
    if (ant__likely(ant__gate_try(gate_of(rw), n, ALL)) ||
        ant__gate_wait(gate_of(rw), n, ALL, ant_ctx_done(ctx), ANT__WAIT_RWMUTEX))
        return 0;
    return ant_ctx_err(ctx);
}

static bool is_held_by_writer(ant_rwmutex *rw)
{
    return ant__load_relaxed(&gate_of(rw)->word) >> ANT__GATE_SHIFT == ALL;
}

void ant_rwmutex_rlock(ant_rwmutex *rw)
{
    lock(rw, 1, NULL);
}

int ant_rwmutex_rlock_ctx(ant_rwmutex *rw, ant_ctx *ctx)
{
    return lock(rw, 1, ctx);
}

bool ant_rwmutex_try_rlock(ant_rwmutex *rw)
{
    return ant__gate_try(gate_of(rw), 1, ALL);
}

void ant_rwmutex_runlock(ant_rwmutex *rw)
{
    if (ant__unlikely(is_held_by_writer(rw) || !ant__gate_give(gate_of(rw), 1, ALL)))
        ant__fatal("ant_rwmutex_runlock: the mutex is unlocked, or locked for writing");
}

void ant_rwmutex_lock(ant_rwmutex *rw)
{
    lock(rw, ALL, NULL);
}

int ant_rwmutex_lock_ctx(ant_rwmutex *rw, ant_ctx *ctx)
{
    return lock(rw, ALL, ctx);
}

bool ant_rwmutex_try_lock(ant_rwmutex *rw)
{
    return ant__gate_try(gate_of(rw), ALL, ALL);
}

void ant_rwmutex_unlock(ant_rwmutex *rw)
{
    if (ant__unlikely(!ant__gate_give(gate_of(rw), ALL, ALL)))
        ant__fatal("ant_rwmutex_unlock: the mutex is unlocked, or locked for reading");
}
