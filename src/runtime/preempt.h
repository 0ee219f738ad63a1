/* preempt.h - interrupting a goroutine by a signal, and what must not be interrupted. */
#ifndef ANT_RUNTIME_PREEMPT_H
#define ANT_RUNTIME_PREEMPT_H

#include "runtime/runtime.h"

int ant__preempt_install(const ant_config *config);
void ant__preempt_remove(void);
bool ant__preempt_usable(int signal);
bool ant__preempt_works(void); /* in this program, by this configuration */
/* Sends the signal to m if its goroutine seems to be one that may be interrupted; else false.
 * Under sched.lock. */
bool ant__preempt_ask(struct ant__m *m);
extern _Atomic uint64_t ant__preempted; /* times a goroutine was; for tests */
void *ant__preempt_here(void *frame);   /* where it goes on, below ant__preempt_begin */

/* The caller is not to be interrupted until ant__unstay, to which goes what this returns. */
static inline uint8_t ant__stay(struct ant__g *g)
{
    uint8_t was = ant__g_is(g, ANT__G_PREEMPT);

    ant__g_clear(g, ANT__G_PREEMPT);
    atomic_signal_fence(memory_order_seq_cst);
    return was;
}

static inline void ant__unstay(struct ant__g *g, uint8_t was)
{
    atomic_signal_fence(memory_order_seq_cst);
    ant__g_set(g, was);
}

/* For locks that are taken in user code: one who waits for such a lock may do so inside the
 * runtime, with the P that the holder would need to go on. */
static inline uint8_t ant__lock_steady(struct ant__lock *l)
{
    struct ant__g *g = ant__self();
    uint8_t was = g ? ant__stay(g) : 0;

    ant__lock(l);
    return was;
}

static inline void ant__unlock_steady(struct ant__lock *l, uint8_t was)
{
    ant__unlock(l);
    if (was)
        ant__unstay(ant__self(), was);
}

#endif
