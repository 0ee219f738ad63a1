/* lock.h - the lock under everything: spin a little, then sleep on a futex.
 *
 * Three states: 0 free, 1 held, 2 held and somebody may sleep. It is for sections of a few dozen
 * instructions that never suspend a goroutine. Its holder may be a thread that lost its CPU, so
 * spinning is short. Zero-filled it is free.
 */
#ifndef ANT_BASE_LOCK_H
#define ANT_BASE_LOCK_H

#include "base/compiler.h"

struct ant__lock {
    _Atomic uint32_t state;
};

/* Between two looks at a word that is to change a few instructions from now, unless the thread that
 * is at it lost its CPU. *spins is 0 at first. */
void ant__back_off(int *spins);

void ant__lock_slow(struct ant__lock *l);
void ant__unlock_slow(struct ant__lock *l);

static inline bool ant__trylock(struct ant__lock *l)
{
    uint32_t free = 0;

    return atomic_compare_exchange_strong_explicit(&l->state, &free, 1, memory_order_acquire,
                                                   memory_order_relaxed);
}

static inline void ant__lock(struct ant__lock *l)
{
    if (ant__unlikely(!ant__trylock(l)))
        ant__lock_slow(l);
}

static inline void ant__unlock(struct ant__lock *l)
{
    if (ant__unlikely(atomic_exchange_explicit(&l->state, 0, memory_order_release) == 2))
        ant__unlock_slow(l);
}

#endif
