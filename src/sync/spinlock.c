/* spinlock.c - the lock under everything (base/lock.h), for users. */
#include "runtime/runtime.h"

static struct ant__lock *lock_of(ant_spinlock *lock)
{
    return (struct ant__lock *)&lock->state;
}

void ant_spinlock_lock(ant_spinlock *lock)
{
    ant__lock(lock_of(lock));
}

bool ant_spinlock_try_lock(ant_spinlock *lock)
{
    return ant__trylock(lock_of(lock));
}

void ant_spinlock_unlock(ant_spinlock *lock)
{
    if (ant__unlikely(ant__load_relaxed(&lock_of(lock)->state) == 0))
        ant__fatal("ant_spinlock_unlock: the lock is unlocked");
    ant__unlock(lock_of(lock));
}
