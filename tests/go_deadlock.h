/* go_deadlock.h - for tests of programs that end because no goroutine can ever run again. */
#ifndef ANT_TESTS_GO_DEADLOCK_H
#define ANT_TESTS_GO_DEADLOCK_H

#include <anthill.h>

#include "check.h"

#define ALL_ASLEEP "all goroutines are asleep - deadlock!"
#define NO_GOROUTINES "no goroutines (main called ant_exit) - deadlock!"

static char deadlock_output[64 << 10];
static int (*deadlock_main)(void *);

static inline void deadlock__child(void)
{
    alarm(50); /* instead of hanging for ever, should it not be seen */
    ant_run(deadlock_main, NULL, NULL);
    printf("ant_run returned\n");
}

/* Runs a program whose main goroutine is fn: it must end by a report that has `message` in it. */
static inline void expect_deadlock(int (*fn)(void *), const char *message)
{
    int status;

    deadlock_main = fn;
    status = test_child(deadlock__child, deadlock_output, sizeof deadlock_output);
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM)
        FAIL("the deadlock was not seen; output \"%s\"", deadlock_output);
    CHECK_HAS(deadlock_output, message);
    CHECK(WIFEXITED(status));
    CHECK_INT(WEXITSTATUS(status), 2);
}

static inline void wait_for_ever(void)
{
    ant_waitgroup never = {0};

    ant_waitgroup_add(&never, 1);
    ant_waitgroup_wait(&never);
    FAIL("a wait for ever came back");
}

#endif
