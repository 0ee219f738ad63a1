/* At the limit of threads: goroutines that block without saying so keep the others waiting, which is
 * told, and when they come back everything goes on. */
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"

enum { BLOCKED = 4 };

static ant_waitgroup wg;

static void block(void *arg)
{
    usleep(50000);
    ant_waitgroup_done(&wg);
}

static void announce(void *arg)
{
    ant_blocking_begin();
    usleep(50000);
    ant_blocking_end();
    ant_waitgroup_done(&wg);
}

static int run(void *arg)
{
    ant_waitgroup_add(&wg, 2 * BLOCKED);
    for (int i = 0; i < BLOCKED; i++) {
        ant_go(block, NULL);
        ant_go(announce, NULL);
    }
    ant_waitgroup_wait(&wg);
    return 0;
}

static void limited(void)
{
    CHECK_INT(ant_run(run, NULL, &(ant_config){.procs = 1, .max_threads = 2}), 0);
}

TEST(seize_thread_limit)
{
    char output[4096];
    int status = test_child(limited, output, sizeof output);

    CHECK(WIFEXITED(status));
    CHECK_INT(WEXITSTATUS(status), 0);
    CHECK_HAS(output, "cannot make a thread: 2 is the limit (threads in ANTHILL");
    return 0;
}
