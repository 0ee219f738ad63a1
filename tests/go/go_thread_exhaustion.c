/* go_thread_exhaustion.c - when as many threads as are allowed are all tied to goroutines that
 * wait, while others could run, the program is ended and says why.
 *
 * Catches: a hang, or a wrong report of a deadlock, when no thread is left.
 */
#include <signal.h>

#include "go_deadlock.h"

enum { LIMIT = 4 };

static char output[64 << 10];

static void tie_for_ever(void *arg)
{
    CHECK_INT(ant_lock_thread(), 0);
    wait_for_ever();
}

static int exhaust(void *arg)
{
    for (int i = 0; i < 3 * LIMIT; i++)
        CHECK_INT(ant_go(tie_for_ever, NULL), 0);
    ant_sleep(ANT_HOUR);
    return 0;
}

static void child_exhausts(void)
{
    alarm(50);
    ant_run(exhaust, NULL, &(ant_config){.max_threads = LIMIT});
}

TEST(go_thread_exhaustion)
{
    int status = test_child(child_exhausts, output, sizeof output);

    CHECK_HAS(output, "cannot make a thread");
    CHECK_HAS(output, "no thread is left");
    CHECK(WIFSIGNALED(status));
    CHECK_INT(WTERMSIG(status), SIGABRT);
    return 0;
}
