/* futex.c - see futex.h. */
#define _GNU_SOURCE
#include "base/futex.h"

#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/errno.h"

void ant__futex_wait(_Atomic uint32_t *word, uint32_t expected, ant_time deadline)
{
    int saved = ant__errno();
    struct timespec ts = {
        .tv_sec = deadline / ANT_SECOND,
        .tv_nsec = deadline % ANT_SECOND,
    };

    /* The bitset form takes an absolute time on the monotonic clock. */
    syscall(SYS_futex, word, FUTEX_WAIT_BITSET | FUTEX_PRIVATE_FLAG, expected,
            deadline == ANT__NEVER ? NULL : &ts, NULL, FUTEX_BITSET_MATCH_ANY);
    ant__errno_set(saved);
}

void ant__futex_wake(_Atomic uint32_t *word, int n)
{
    int saved = ant__errno();

    syscall(SYS_futex, word, FUTEX_WAKE | FUTEX_PRIVATE_FLAG, n, NULL, NULL, 0);
    ant__errno_set(saved);
}

void ant__note_clear(struct ant__note *note)
{
    ant__store_relaxed(&note->posted, 0);
}

void ant__note_post(struct ant__note *note)
{
    ant__store_release(&note->posted, 1); /* pairs with the acquire in ant__note_wait */
    ant__futex_wake(&note->posted, 1);
}

bool ant__note_wait(struct ant__note *note, ant_time deadline)
{
    while (!ant__load_acquire(&note->posted)) {
        if (deadline != ANT__NEVER && ant__now() >= deadline)
            return false;
        ant__futex_wait(&note->posted, 0, deadline);
    }
    return true;
}
