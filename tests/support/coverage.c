/* coverage.c - in the coverage build: a process that ends by _exit or abort, as tests of how a program
 * dies do, leaves its counts behind too, and so does the child of a fork, with those of its parent up
 * to there. Their names win over those of libc and libgcov. */
#include <signal.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

extern void __gcov_dump(void);
pid_t __gcov_fork(void) __attribute__((used)); /* link-time optimisation sees no call of it */

/* What gcc calls in place of fork. Its own begins the child's counts anew after the handlers of
 * pthread_atfork. By a pointer, else this would call itself. */
pid_t __gcov_fork(void)
{
    static pid_t (*const volatile real)(void) = fork;

    return real();
}

void _exit(int status)
{
    __gcov_dump();
    for (;;)
        syscall(SYS_exit_group, status);
}

void abort(void)
{
    __gcov_dump();
    signal(SIGABRT, SIG_DFL);
    for (;;)
        raise(SIGABRT);
}
