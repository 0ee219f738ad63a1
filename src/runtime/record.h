/* record.h - what a dump shows, taken down while the goroutines run on. */
#ifndef ANT_RUNTIME_RECORD_H
#define ANT_RUNTIME_RECORD_H

#include "runtime/runtime.h"

enum {
    ANT__RECORD_FRAMES = 64,
    ANT__RECORD_BUCKETS = 1024,
    ANT__RECORD_SHOWN = 4, /* of the goroutines with the same stack, so many by number and name */
};

/* Goroutines that are in the same state at the same place. */
struct ant__record {
    struct ant__record *next; /* in the order in which they were found */
    struct ant__record *next_in_bucket;
    const char *state;
    bool waits, tied; /* suspended, since a time; locked to its thread */
    void *entry, *creator;
    int64_t count;
    ant_duration shortest, longest; /* time of waiting */
    uint64_t parent;                /* 0: none, or not the same one for all */
    struct {
        uint64_t id;
        const char *name; /* or NULL */
    } shown[ANT__RECORD_SHOWN];
    int frames_n;
    void **frames;
};

struct ant__records {
    struct ant__lock lock;
    int goroutines, procs; /* when they were paused */
    struct ant__record *first, **end;
    struct ant__chunk *chunks; /* what lies in here, see record.c */
    char *free;
    size_t room;
    int64_t lost; /* goroutines for which there was no memory */
    struct ant__record *buckets[ANT__RECORD_BUCKETS];
};

/* Records all goroutines. Any thread, in user code; not from two places of one thread. The own stack is
 * recorded from `caller` on, the address at which user code called us; or all of it. 0, -EAGAIN (they
 * could not be paused within a second), -ENOMEM, ANT_ENOTRUNNING. */
int ant__record_all(const void *caller, struct ant__records **ret_records);
void ant__records_free(struct ant__records *r);

/* The same when all Ms sleep, for good. */
struct ant__records *ant__record_asleep(void);

/* One, which is not running or is the caller's. */
void ant__record_one(const struct ant__g *g, struct ant__record *r, void **frames);

extern _Atomic int64_t ant__record_paused; /* how long the last pause was, in ns; for tests */

#endif
