/* log.h - messages on standard error or any descriptor, without malloc and without locks of libc,
 * so that they can be written from signal handlers and from threads that are about to abort. */
#ifndef ANT_BASE_LOG_H
#define ANT_BASE_LOG_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

#include <anthill/version.h>

/* Formats up to 1 KB and writes it in one piece; returns 0 or -errno. */
int ant__print(int fd, const char *format, ...) ANT_PRINTF(2, 3);

/* For text of many parts: gathers them and writes about a KB at a time. */
struct ant__out {
    int fd;
    int err; /* -errno of the first write that failed; nothing is written after it */
    int len;
    char text[1024];
};

void ant__out_print(struct ant__out *out, const char *format, ...) ANT_PRINTF(2, 3);
int ant__out_flush(struct ant__out *out); /* writes what is left; returns err */

/* Whether a line can be written to standard error without waiting for its reader. */
bool ant__log_has_room(void);

/* "anthill: ..." and a newline on standard error. */
void ant__log(const char *format, ...) ANT_PRINTF(1, 2);

/* The same, then abort(): for what cannot go on. */
ANT_NORETURN void ant__fatal(const char *format, ...) ANT_PRINTF(1, 2);

#endif
