/* signals.h - catching signals for those who want to be told of them. */
#ifndef ANT_RUNTIME_SIGNALS_H
#define ANT_RUNTIME_SIGNALS_H

#include "runtime/runtime.h"

enum { ANT__SIGNALS = 65 }; /* they are numbered from 1 to 64 */

static inline uint64_t ant__signal_bit(int signal)
{
    return (uint64_t)1 << (signal - 1);
}

/* Neither one by which faults come, nor one that cannot be caught, nor one of libc's. */
bool ant__signal_is_free(int signal);
/* The same, and the runtime, as it is configured, does not use it. */
bool ant__signal_is_catchable(int signal);

/* From here on it is counted, and no longer does what it did before. Of two calls for one signal
 * one at a time, and in turns. */
int ant__signal_catch(int signal);
void ant__signal_let_go(int signal);
uint32_t ant__signal_take(int signal); /* how many came since the last time */
void ant__signals_forked(void);        /* the child handles them as the program did before */

/* Who wants them (sync/signal.c); NULL: nobody ever did. */
struct ant__signal_user {
    void (*deliver)(void); /* some came; called by sysmon */
    void (*forget)(void);  /* the runtime stops */
    bool (*awaited)(void); /* somebody sleeps that one may wake; under sched.lock */
};
extern _Atomic(const struct ant__signal_user *) ant__signal_user;

static inline bool ant__signals_awaited(void)
{
    const struct ant__signal_user *user = ant__load_acquire(&ant__signal_user);

    return user && user->awaited();
}

#endif
