/* io.h - a descriptor with those who wait for it.
 *
 * Waiting. Each direction counts the events that were seen (seq). Who wants to read loads seq, tries
 * the system call, and if that says EAGAIN sleeps, unless seq has changed meanwhile. An event changes
 * seq and then wakes one sleeper. So an event can come early, late or twice without harm: it only
 * makes somebody try again. An event stands for any number of things that happened, so who was woken
 * and is done wakes the next one (pass_on). (tests/models/poll.pml)
 *
 * Life. A file lies in memory that is never given back, since handles and late events may point to
 * it. `state` tells whether it is closed, and how many calls are under way: the last one to leave a closed
 * file closes the descriptor, steps the serial, and frees the place. A call counts itself in, if the file
 * is not closed. From then on the serial stays, and if it is not that of the handle, which is an old one,
 * the call leaves again.
 * (tests/models/handle.pml)
 */
#ifndef ANT_NET_IO_H
#define ANT_NET_IO_H

#include <errno.h>

#include "runtime/netpoll.h"
#include "sync/sleep.h"

enum ant__file_kind {
    ANT__FILE_STREAM, /* of bytes, can be waited for */
    ANT__FILE_SOCKET, /* the same, a socket */
    ANT__FILE_TCP,    /* the same, and what is read short is empty */
    ANT__FILE_PACKETS,
    ANT__FILE_POLLED, /* not ours (poll.c): any event is for `in` */
    ANT__FILE_SHARED, /* can be waited for, but is not non-blocking: standard input and the like */
    ANT__FILE_REGULAR /* cannot */
};

struct ant__direction {
    _Atomic uint32_t seq;
    _Atomic bool expired;
    _Atomic int64_t deadline; /* 0: none */
    _Atomic uint64_t dry;     /* DRY | seq: since that event there is nothing to be had */
    struct ant__queue waiting;
    struct ant__timer timer;
    struct ant__file *file;
};

struct ant__file {
    struct ant__source source;
    _Atomic uint32_t state;  /* closed or not, and how many calls are under way */
    _Atomic uint64_t serial; /* which a handle must match; changes when no call is under way */
    _Atomic int threads;     /* that are no Ms, among those whose calls are under way */
    int fd;
    enum ant__file_kind kind;
    _Atomic bool no_hint; /* the other side has closed, an error or an urgent byte came */
    struct ant__lock lock;
    struct ant__lock deadlines; /* one change of the timers at a time; before wheel->lock */
    struct ant__direction in, out;
    struct ant__file *next;     /* in the free list */
    struct ant__file *next_all; /* in the list of all there ever were */
};

/* Makes a file of fd, and says so to the poller unless it is a regular one. */
int ant__file_new(ant_io *ret_io, int fd, enum ant__file_kind kind);

/* A call that uses a file stands between these two. */
int ant__file_ref(ant_io io, struct ant__file **ret_file);
void ant__file_unref(struct ant__file *f);

/* A system call that is to be tried until it can be done. Returns what it returns, or -errno. */
struct ant__op {
    ssize_t (*call)(struct ant__op *op, int fd);
    bool out;      /* direction */
    bool no_event; /* tells that it can be done: to be tried again after a while */
    size_t size;   /* asked for; 0: not a number of bytes */
    ant_ctx *ctx;  /* or NULL */
};
ssize_t ant__file_try(struct ant__file *f, struct ant__op *op);
ssize_t ant__io_do(ant_io io, struct ant__op *op);

/* At most n goroutines at a time. Those that had their turn, or waited for it, when the runtime was
 * stopped are forgotten by the next run. Other threads need no turn: they block nobody. */
struct ant__turns {
    struct ant__lock lock;
    int n;
    uint64_t run; /* that sem is of */
    ant_sem sem;
};
int ant__turn_take(struct ant__turns *t, ant_ctx *ctx);
void ant__turn_give(struct ant__turns *t);

/* Waits for an event later than seq. */
int ant__file_wait(struct ant__file *f, struct ant__direction *d, uint32_t seq, ant_ctx *ctx);

#endif
