/* sem.c - the weighted semaphore: a gate with a capacity. */
#include <errno.h>
#include <string.h>

#include "sync/gate.h"

_Static_assert(offsetof(ant_sem, waiters) == offsetof(struct ant__gate, queue),
               "a semaphore begins with a gate");

static struct ant__gate *gate_of(ant_sem *sem)
{
    return (struct ant__gate *)sem;
}

static bool is_possible(const ant_sem *sem, int64_t n)
{
    return n >= 0 && n <= sem->capacity && sem->capacity <= ANT_SEM_MAX;
}

int ant_sem_init(ant_sem *sem, int64_t permits)
{
    if (!sem || permits < 0 || permits > ANT_SEM_MAX)
        return -EINVAL;
    *sem = (ant_sem)ANT_SEM(permits);
    return 0;
}

int ant_sem_acquire_ctx(ant_sem *sem, int64_t n, ant_ctx *ctx)
{
    int err = ant_ctx_err(ctx);

    if (ant__unlikely(err || !is_possible(sem, n)))
        return err ? err : -EINVAL;
    if (ant__likely(ant__gate_try(gate_of(sem), n, sem->capacity)) ||
        ant__gate_wait(gate_of(sem), n, sem->capacity, ant_ctx_done(ctx), ANT__WAIT_SEM))
        return 0;
    return ant_ctx_err(ctx);
}

int ant_sem_acquire(ant_sem *sem, int64_t n)
{
    return ant_sem_acquire_ctx(sem, n, NULL);
}

int ant_sem_try_acquire(ant_sem *sem, int64_t n)
{
    if (!is_possible(sem, n))
        return -EINVAL;
    return ant__gate_try(gate_of(sem), n, sem->capacity) ? 0 : -EAGAIN;
}

void ant_sem_release(ant_sem *sem, int64_t n)
{
    if (ant__unlikely(n < 0 || !ant__gate_give(gate_of(sem), n, sem->capacity)))
        ant_panic("ant_sem_release: %lld is more than is taken, or negative", (long long)n);
}
