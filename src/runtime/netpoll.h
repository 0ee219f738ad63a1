/* netpoll.h - descriptors that goroutines wait for: all that the rest of the runtime knows of the
 * poller, and what another one would have to offer. */
#ifndef ANT_RUNTIME_NETPOLL_H
#define ANT_RUNTIME_NETPOLL_H

#include <sys/epoll.h>

#include "runtime/runtime.h"

enum { ANT__POLL_EVENTS = 128 };                /* at a time */
#define ANT__POLL_EVERY (100 * ANT_MICROSECOND) /* by a busy P */

/* Its memory is never given back: an event may come late. */
struct ant__source {
    /* Something happened (events: as epoll's). What it makes runnable goes to *out; p may be NULL. */
    void (*ready)(struct ant__source *source, uint32_t events, struct ant__p *p,
                  struct ant__glist *out);
};

struct ant__polled {
    int n;
    struct epoll_event events[ANT__POLL_EVENTS];
};

int ant__poll_add(int fd, uint32_t events, struct ant__source *source); /* opens it if need be */
void ant__poll_remove(int fd); /* before it is closed: a duplicate would keep it registered */
bool ant__poll_is_open(void);
bool ant__poll_is_unattended(void); /* it is open, and nobody sleeps in it */
void ant__poll_close(bool all_ended);
/* Sleeps in it until then at most, or until m's note is posted and ant__poll_break(m) called.
 * False: somebody else does, or it is not open. */
bool ant__poll_sleep(struct ant__m *m, struct ant__polled *polled, ant_time until);
bool ant__poll_has_sleeper(struct ant__m *m); /* m sleeps there, or did a moment ago */
bool ant__poll_break(struct ant__m *m);       /* false: m does not sleep there */
void ant__poll_dispatch(const struct ant__polled *polled, struct ant__p *p, struct ant__glist *out);
void ant__poll_quick(struct ant__p *p, struct ant__glist *out);   /* without sleeping */
bool ant__poll_is_due(ant_time now, ant_duration after);          /* nobody did for so long */
bool ant__poll_is_wanted(const struct ant__p *p);                 /* of p, which is busy */
bool ant__poll_by_others(const struct ant__p *p, ant_time since); /* another P did since then */
/* Goroutines and threads that wait for descriptors: for the deadlock report. p: the caller's. */
void ant__poll_count_waiting(struct ant__p *p, int n);
bool ant__poll_waits(void);
/* At the stop, or NULL. all_ended: no thread is left that may use what is open. */
extern _Atomic(void (*)(bool all_ended)) ant__io_close_all;

#endif
