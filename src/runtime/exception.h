/* exception.h - exceptions of C++ in goroutines.
 *
 * The C++ library keeps in each thread which exceptions are being handled, and how many are on their way. A
 * goroutine may suspend in a catch block and go on in another thread, so these words travel with it: they
 * are swapped at each suspension (sched.c), in programs in which there is C++ at all.
 *
 * Rejected: telling C++ programs not to suspend in a catch block. They do so by logging over a channel,
 * and got the exceptions of other goroutines.
 */
#ifndef ANT_RUNTIME_EXCEPTION_H
#define ANT_RUNTIME_EXCEPTION_H

#include <stdbool.h>
#include <stddef.h>

#include <anthill/panic.h>

/* __cxa_eh_globals, as the C++ ABI has it. */
struct ant__exceptions {
    void *caught; /* the one that was caught last, which points to the next */
    unsigned uncaught;
};

bool ant__exceptions_exist(void); /* there is C++ in this program */

/* Those of the calling thread; NULL without C++. Constant for a thread. */
struct ant__exceptions *ant__exceptions_at(void);

/* Those of the calling goroutine or thread; zeroes without C++. set: for the frames of a catch block that
 * are left by a panic. */
struct ant__exceptions ant__exceptions_get(void);
void ant__exceptions_set(const struct ant__exceptions *e);

/* Catches the exception, and says in message what it was. */
void ant__exception_catch(void *exception, char *message, size_t size);

#endif
