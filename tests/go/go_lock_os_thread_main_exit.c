/* go_lock_os_thread_main_exit.c - the main goroutine may return tied to its thread; if it ends
 * tied by ant_exit, the others go on.
 *
 * Catches: ant_run does not come back; a P goes down with the main goroutine's thread.
 */
#include <signal.h>

#include <anthill.h>

#include "check.h"

static int returns_tied(void *arg)
{
    CHECK_INT(ant_lock_thread(), 0);
    ant_yield();
    return 5;
}

static void go_on(void *arg)
{
    for (int i = 0; i < 10; i++) {
        ant_yield();
        ant_sleep(ANT_MILLISECOND / 10);
    }
    kill(getpid(), SIGKILL);
}

static int exits_tied(void *arg)
{
    CHECK_INT(ant_lock_thread(), 0);
    CHECK_INT(ant_go(go_on, NULL), 0);
    ant_exit();
}

static void child(void)
{
    alarm(50);
    ant_run(exits_tied, NULL, NULL);
}

TEST(go_lock_os_thread_main_exit)
{
    char output[1024];
    int status = test_child(child, output, sizeof output);

    CHECK_STR(output, "");
    CHECK(WIFSIGNALED(status));
    CHECK_INT(WTERMSIG(status), SIGKILL);
    for (int i = 0; i < 10; i++)
        CHECK_INT(ant_run(returns_tied, NULL, NULL), 5);
    return 0;
}
