/* go_deadlock.h - for tests of programs that end because no goroutine can ever run again.
 *
 *     expect_deadlock(waits, ALL_ASLEEP, "goroutine 1", NULL);
 *
 * runs waits as the main goroutine of a program that must end by a report with these texts in it.
 * The program is this test, started anew with the number of the case in its environment: not a mere
 * fork, after which TSan has one thread more than it should.
 */
#ifndef ANT_TESTS_GO_DEADLOCK_H
#define ANT_TESTS_GO_DEADLOCK_H

#include <signal.h>

#include <anthill.h>

#include "check.h"

#define ALL_ASLEEP "all goroutines are asleep - deadlock!"
#define NO_GOROUTINES "no goroutines (main called ant_exit) - deadlock!"

static char deadlock_case[16];

static inline void deadlock__exec(void)
{
    setenv("ANT_DEADLOCK_CASE", deadlock_case, 1);
    test_restart();
}

static inline void deadlock__be_the_child(const char *number, int (*fn)(void *))
{
    if (strcmp(number, deadlock_case) != 0)
        return;
    alarm(50); /* instead of hanging for ever, should it not be seen */
    ant_run(fn, NULL, NULL);
    FAIL("ant_run returned");
}

static inline void expect_deadlock(int (*fn)(void *), const char *text, ...)
{
    static char output[64 << 10];
    static int n;
    const char *child;
    va_list more;
    int status;

    snprintf(deadlock_case, sizeof deadlock_case, "%d", n++);
    child = getenv("ANT_DEADLOCK_CASE");
    if (child) {
        deadlock__be_the_child(child, fn);
        return;
    }
    status = test_child(deadlock__exec, output, sizeof output);
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM)
        FAIL("the deadlock was not seen; output \"%s\"", output);
    va_start(more, text);
    for (; text; text = va_arg(more, const char *))
        CHECK_HAS(output, text);
    va_end(more);
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
