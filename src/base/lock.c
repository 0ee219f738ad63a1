/* lock.c - see lock.h. */
#include "base/lock.h"

#include <sched.h>

#include "base/futex.h"

enum {
    TRIES = 12,
    LONGEST = 16, /* pauses between two tries */
};

void ant__back_off(int *spins)
{
    if (++*spins < 100)
        ant__pause();
    else
        sched_yield();
}

void ant__lock_slow(struct ant__lock *l)
{
    /* Longer from try to try, so that many who wait do not keep its holder from the cache line. */
    for (int i = 0, pauses = 1; i < TRIES; i++) {
        if (ant__load_relaxed(&l->state) == 0 && ant__trylock(l))
            return;
        for (int k = 0; k < pauses; k++)
            ant__pause();
        pauses = pauses < LONGEST ? 2 * pauses : LONGEST;
    }
    /* Having slept we cannot know whether others still do, so we hold it as 2: at worst one
     * wake-up too many. */
    while (atomic_exchange_explicit(&l->state, 2, memory_order_acquire) != 0)
        ant__futex_wait(&l->state, 2, ANT__NEVER);
}

void ant__unlock_slow(struct ant__lock *l)
{
    ant__futex_wake(&l->state, 1);
}
