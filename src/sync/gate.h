/* gate.h - permits, of which each takes as many as it needs, first come, first served.
 *
 * What the semaphore and the reader/writer mutex have in common: see gate.c. Both begin with it. */
#ifndef ANT_SYNC_GATE_H
#define ANT_SYNC_GATE_H

#include "sync/sleep.h"

struct ant__gate {
    _Atomic uint64_t word; /* permits taken, above the flags */
    struct ant__queue queue;
};

enum {
    ANT__GATE_WAITERS = 1, /* the queue is not empty */
    ANT__GATE_BUSY = 2,    /* somebody is changing queue and word: nobody else touches either */
    ANT__GATE_SHIFT = 2,
};

/* Takes n of capacity permits and true, or false: they are not there, or somebody waits. */
static inline bool ant__gate_try(struct ant__gate *gate, int64_t n, int64_t capacity)
{
    uint64_t word = ant__load_relaxed(&gate->word);

    while (!(word & (ANT__GATE_WAITERS | ANT__GATE_BUSY)) &&
           (int64_t)(word >> ANT__GATE_SHIFT) <= capacity - n) {
        if (atomic_compare_exchange_weak_explicit(&gate->word, &word,
                                                  word + ((uint64_t)n << ANT__GATE_SHIFT),
                                                  memory_order_acquire, memory_order_relaxed))
            return true;
    }
    return false;
}

/* The same, waiting for them. False: ctx was done before. */
bool ant__gate_wait(struct ant__gate *gate, int64_t n, int64_t capacity, ant_chan *done,
                    enum ant__reason reason);

/* Gives n back. False, and nothing done: so many are not taken. The gate is not touched after what
 * lets a waiter go. */
bool ant__gate_give(struct ant__gate *gate, int64_t n, int64_t capacity);

#endif
