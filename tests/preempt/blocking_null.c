/* blocking_null - ant_blocking without a function: one clear message and SIGABRT, in a goroutine and in
 * any other thread. */
#include <signal.h>

#include <anthill.h>

#include "check.h"

static int in_goroutine(void *arg)
{
    ant_blocking(NULL, NULL);
    return 0;
}

static void run(void)
{
    ant_run(in_goroutine, NULL, NULL);
}

static void run_outside(void)
{
    ant_blocking(NULL, NULL);
}

static void check(void (*fn)(void))
{
    char output[4096];
    int status = test_child(fn, output, sizeof output);

    CHECK_HAS(output, "anthill: ant_blocking: the function is NULL");
    CHECK(WIFSIGNALED(status));
    CHECK_INT(WTERMSIG(status), SIGABRT);
}

TEST(blocking_null)
{
    check(run);
    check(run_outside);
    return 0;
}
