/* refuse.h - makes the kernel refuse a system call, as an older one or a sandbox does. */
#ifndef ANT_TESTS_REFUSE_H
#define ANT_TESTS_REFUSE_H

#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

/* From now on, for this thread and those it makes. False: cannot be done. */
static inline bool install_filter(struct sock_filter *filter, unsigned short n)
{
    struct sock_fprog program = {.len = n, .filter = filter};

    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

static inline bool refuse_call(long number, unsigned err)
{
    struct sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)number, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | err),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };

    return install_filter(filter, sizeof filter / sizeof filter[0]);
}

#endif
