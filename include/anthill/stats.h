/* stats.h - what the runtime has done and what it holds. */
#ifndef ANTHILL_STATS_H
#define ANTHILL_STATS_H

#include <stdint.h>

#include <anthill/version.h>

ANT_BEGIN_DECLS

typedef struct ant_stats {
    int procs;               /* goroutines that may run at once */
    int threads;             /* threads of the runtime now */
    int idle_threads;        /* of these, asleep */
    int goroutines;          /* now */
    int runnable;            /* in run queues now */
    uint64_t created;        /* goroutines since start */
    uint64_t switches;       /* times a goroutine began or went on */
    uint64_t steals;         /* times a P took goroutines from another's queue */
    uint64_t stolen;         /* goroutines taken so */
    uint64_t wakeups;        /* threads woken or made because there was work */
    uint64_t timers;         /* pending now */
    uint64_t stacks;         /* that hold memory now: in use, or free and not trimmed yet */
    uint64_t stack_bytes;    /* address space reserved for stacks */
    const char *stack_guard; /* how they are guarded: "madvise", "mprotect" or "canary" */
} ant_stats;

/* Fills *ret_stats. The figures are read one after the other while the runtime goes on. Any
 * thread; does not block. Returns 0, -EINVAL, ANT_ENOTRUNNING. */
ANT_API int ant_stats_get(ant_stats *ret_stats);

ANT_END_DECLS

#endif
