/* planted.c - tests that fail in all the ways a test can, for runner.sh: the runner must report each
 * as what it is. */
#include <pthread.h>
#include <signal.h>

#include "check.h"

/* A child may end itself. Signals are as usual, whatever the starter has ignored. */
TEST(planted_pass)
{
    int status;
    pid_t pid = fork();

    CHECK(signal(SIGQUIT, SIG_DFL) == SIG_DFL);

    if (pid == 0)
        exit(0);
    CHECK_INT(waitpid(pid, &status, 0), pid);
    return 0;
}

TEST(planted_fail)
{
    CHECK_INT(1 + 1, 3);
    return 0;
}

/* As an exit status it would be 0. */
TEST(planted_256)
{
    return 256;
}

TEST(planted_exit)
{
    exit(0);
}

TEST(planted__exit)
{
    _exit(0);
}

TEST(planted_pthread_exit)
{
    pthread_exit(NULL);
}

TEST(planted_hang)
{
    for (;;)
        pause();
    return 0;
}

TEST(planted_crash)
{
    int *volatile nowhere = NULL;

    *nowhere = 1;
    return 0;
}

TEST(planted_fd)
{
    return open("/dev/null", O_RDONLY) < 0;
}

static void *wait_for_ever(void *arg)
{
    for (;;)
        pause();
    return arg;
}

TEST(planted_thread)
{
    pthread_t thread;

    return pthread_create(&thread, NULL, wait_for_ever, NULL);
}

/* TSan has such a thread of its own. */
TEST(planted_blocked_thread)
{
    pthread_t thread;
    sigset_t all;

    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, NULL);
    return pthread_create(&thread, NULL, wait_for_ever, NULL);
}

/* It lives on, and a child of its own does too. */
TEST(planted_child)
{
    pid_t pid = fork();

    if (pid == 0) {
        fork();
        setsid(); /* no signal to the process group meets it */
        for (;;)
            pause();
    }
    return pid < 0;
}

/* It has ended, and nobody has waited for it. */
TEST(planted_zombie)
{
    pid_t pid = fork();

    if (pid == 0)
        _exit(0);
    return pid < 0;
}

/* More than one: a pointer to the last may still lie somewhere on the stack. */
TEST(planted_memory)
{
    for (int i = 0; i < 100; i++) {
        char *volatile memory = malloc(100);

        memory[0] = 1;
    }
    return 0;
}
