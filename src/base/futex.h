/* futex.h - sleeping on a word, in the three forms we use. None of them sets errno. */
#ifndef ANT_BASE_FUTEX_H
#define ANT_BASE_FUTEX_H

#include "base/clock.h"
#include "base/compiler.h"

/* Sleeps while *word == expected, until woken or until the monotonic clock reaches deadline
 * (ANT__NEVER: no limit). May return for no reason: callers look at their word again. */
void ant__futex_wait(_Atomic uint32_t *word, uint32_t expected, ant_time deadline);

/* Wakes up to n sleepers. Only the address is used, never what it points to: the word's memory
 * may be gone by then. */
void ant__futex_wake(_Atomic uint32_t *word, int n);

/* A note is a one-shot event between two threads: 0, then 1 when it was posted. */
struct ant__note {
    _Atomic uint32_t posted;
};

void ant__note_clear(struct ant__note *note);
void ant__note_post(struct ant__note *note);
/* True if it was posted, false if the deadline came first. */
bool ant__note_wait(struct ant__note *note, ant_time deadline);

#endif
