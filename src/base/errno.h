/* errno.h - errno, read and written without anybody in between.
 *
 * A goroutine may be interrupted between any two instructions of its code, which is ours too, and go on
 * in another thread (preempt.c). Its value of errno goes with it, but an address of errno does not, and
 * compilers keep that in a register for a whole function. So all our code uses these, which are not
 * interrupted; tools/lint looks after it. */
#ifndef ANT_BASE_ERRNO_H
#define ANT_BASE_ERRNO_H

#include <errno.h>
#include <stddef.h>
#include <stdint.h>

int ant__errno(void);
void ant__errno_set(int value);
int *ant__errno_at(void); /* constant for a thread */

/* Where the code of the first two lies. */
void ant__errno_text(uintptr_t *ret_low, size_t *ret_size);

#endif
