/* config_deadlock - a program whose goroutines all wait for one another is ended with a report,
 * unless that is switched off, by the struct or by the variable. */
#include <signal.h>
#include <sys/time.h>

#include <anthill.h>

#include "check.h"

static const ant_config *config;
static const char *variable;

static int wait_for_ever(void *arg)
{
    ant_waitgroup never = {0};

    ant_waitgroup_add(&never, 1);
    ant_waitgroup_wait(&never);
    return 0;
}

static void child(void)
{
    if (variable)
        CHECK_INT(setenv("ANTHILL", variable, 1), 0);
    ant_run(wait_for_ever, NULL, config);
}

static void child_with_alarm(void)
{
    CHECK_INT(setitimer(ITIMER_REAL, &(struct itimerval){.it_value.tv_usec = 300000}, NULL), 0);
    child();
}

static int outcome(void (*fn)(void), const char *text, const ant_config *c, char output[8192])
{
    variable = text;
    config = c;
    return test_child(fn, output, 8192);
}

static void check_report(const char *text, const ant_config *c)
{
    char output[8192];
    int status = outcome(child, text, c, output);

    CHECK(WIFEXITED(status));
    CHECK_INT(WEXITSTATUS(status), 2);
    CHECK_HAS(output, "anthill: all goroutines are asleep - deadlock!");
    CHECK_HAS(output, "goroutine 1 [waitgroup wait");
}

static void check_silence(const char *text, const ant_config *c)
{
    char output[8192];
    int status = outcome(child_with_alarm, text, c, output);

    CHECK(WIFSIGNALED(status));
    CHECK_INT(WTERMSIG(status), SIGALRM);
    CHECK_STR(output, "");
}

TEST(config_deadlock)
{
    const ant_config off = {.no_deadlock_report = true};

    check_report(NULL, NULL);
    check_report("deadlock=1", NULL);
    check_report("deadlock=1", &off);
    check_silence(NULL, &off);
    check_silence("deadlock=0", NULL);
    return 0;
}
