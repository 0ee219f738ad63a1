/* life_fork.h - fork while the runtime runs: what the child does, what it says and how it ends. */
#ifndef ANT_TESTS_LIFE_FORK_H
#define ANT_TESTS_LIFE_FORK_H

#include <signal.h>

#include <anthill.h>

#include "check.h"

/* Like test_child, but fit for a process with threads: the child calls nothing that allocates. */
static inline int fork_and(void (*fn)(void), char *output, size_t size)
{
    int status, fds[2];
    size_t len = 0;
    ssize_t n;
    pid_t pid;

    CHECK_INT(pipe(fds), 0);
    pid = fork();
    CHECK(pid >= 0);
    if (pid == 0) {
        setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
        dup2(fds[1], STDERR_FILENO);
        dup2(fds[1], STDOUT_FILENO);
        close(fds[0]);
        close(fds[1]);
        alarm(60); /* a hang is a failure, and is told apart from others */
        fn();
        _exit(0);
    }
    close(fds[1]);
    while (len < size - 1 && (n = read(fds[0], output + len, size - 1 - len)) > 0)
        len += (size_t)n;
    output[len] = '\0';
    close(fds[0]);
    CHECK_INT(waitpid(pid, &status, 0), pid);
    return status;
}

#define check_fork_aborts(fn) fork_aborts(#fn, fn)

static inline void fork_aborts(const char *name, void (*fn)(void))
{
    char output[4096];
    int status = fork_and(fn, output, sizeof output);

    if (!WIFSIGNALED(status) || WTERMSIG(status) != SIGABRT)
        FAIL("%s: the child ended with status 0x%x and said \"%s\"", name, status, output);
    CHECK_HAS(output, "anthill: the child of a fork called into the runtime");
}

static inline int return_zero(void *arg)
{
    return 0;
}

static inline void call_start(void)
{
    ant_start(NULL);
}

static inline void call_run(void)
{
    ant_run(return_zero, NULL, NULL);
}

static inline void call_stop(void)
{
    ant_stop();
}

#endif
