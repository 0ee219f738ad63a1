/* sys.h - everything we ask of the system that may be refused, so that a test can refuse it.
 *
 * A test sets ant__fail_after to n: the n-th call from then on (counting from 1) and `times - 1`
 * further ones fail as the system would fail them. All functions return 0, or a descriptor where they
 * make one, or -errno.
 */
#ifndef ANT_BASE_SYS_H
#define ANT_BASE_SYS_H

#include <pthread.h>
#include <sys/types.h>

#include "base/compiler.h"

extern _Atomic long ant__fail_after; /* 0: never */
extern _Atomic long ant__fail_times; /* how many in a row; 0 counts as 1 */
extern _Atomic long ant__sys_calls;  /* made since the start of the process */

/* Anonymous private memory, zero-filled, not reserved. */
int ant__map(void **ret_memory, size_t size);
void ant__unmap(void *memory, size_t size);
void ant__want_huge_pages(void *memory, size_t size); /* nobody minds if there are none */

int ant__alloc(void **ret_memory, size_t size); /* zero-filled, from malloc; release with free */

int ant__alloc_aligned(void **ret_memory, size_t alignment, size_t size);

int ant__madvise(void *memory, size_t size, int advice);
int ant__protect_none(void *memory, size_t size);

int ant__poll_open(int *ret_epoll, int *ret_event); /* an epoll instance and an eventfd */
int ant__poll_register(int epoll, int fd, uint32_t events, void *source);

/* Descriptors, all of them close-on-exec. */
int ant__socket(int family, int type); /* non-blocking */
int ant__accept(int listener);         /* the same */
int ant__pipe(int ret_fds[2], int flags);
int ant__pidfd_open(pid_t pid);

int ant__thread_create(pthread_t *ret_thread, size_t stack_size, void *(*fn)(void *), void *arg);

#endif
