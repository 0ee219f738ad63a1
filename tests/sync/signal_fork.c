/* signal_fork - a child of fork has the handlers of before, and so does a program that it becomes;
 * one of ant_spawn has the default ones. */
#include <signal.h>

#include <anthill.h>

#include "check.h"

static const int one[] = {SIGTERM}, ignored[] = {SIGHUP};

/* How the child ended that the caller has made. */
static int status_of(pid_t child)
{
    int status;

    CHECK(child >= 0);
    CHECK_INT(waitpid(child, &status, 0), child);
    return status;
}

static int run(void *arg)
{
    const char *const argv[] = {"sh", "-c", "kill -TERM $$; exit 3", NULL};
    ant_process process;
    ant_chan *c;
    int status, signal;
    pid_t child;

    CHECK_INT(ant_chan_new(&c, sizeof(int), 1), 0);
    CHECK_INT(ant_signal_notify(c, one, 1), 0);
    CHECK_INT(ant_signal_notify(c, ignored, 1), 0);
    child = fork();
    if (child == 0) {
        raise(SIGHUP); /* was ignored */
        raise(SIGTERM);
        _exit(4);
    }
    status = status_of(child);
    CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
    CHECK_INT(ant_spawn(&process, argv, NULL), 0);
    CHECK_INT(ant_process_wait(process, &status), 0);
    CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
    CHECK_INT(ant_chan_len(c), 0);
    raise(SIGTERM); /* here all is as it was */
    CHECK(ant_chan_recv(c, &signal));
    CHECK_INT(signal, SIGTERM);
    ant_signal_stop(c);
    CHECK_INT(ant_chan_destroy(c), 0);
    return 0;
}

TEST(signal_fork)
{
    signal(SIGHUP, SIG_IGN);
    return ant_run(run, NULL, NULL);
}
