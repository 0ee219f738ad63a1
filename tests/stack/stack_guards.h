/* stack_guards.h - forcing the ways in which stacks are guarded. */
#ifndef ANT_TESTS_STACK_GUARDS_H
#define ANT_TESTS_STACK_GUARDS_H

#include <anthill.h>

#include "base/sys.h"
#include "check.h"
#include "refuse.h"

/* Refuses MADV_GUARD_INSTALL from now on, as a kernel before 6.13 does. False: cannot be done. */
static inline bool refuse_guard_install(void)
{
    struct sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_process_madvise, 3, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_madvise, 0, 3),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[2])),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 102, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EINVAL),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };

    return install_filter(filter, sizeof filter / sizeof filter[0]);
}

/* The next start finds no memory to try a guard page on. */
static inline void refuse_guards(void)
{
    ant__fail_times = 1;
    ant__fail_after = 1;
}

static inline const char *guard_in_use(void)
{
    ant_stats stats;

    CHECK_INT(ant_stats_get(&stats), 0);
    return stats.stack_guard;
}

#endif
