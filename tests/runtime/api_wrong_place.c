/* api_wrong_place - functions called from a goroutine that may not be, and the other way round. */
#include <errno.h>

#include <signal.h>

#include <anthill.h>

#include "check.h"

static int never(void *arg)
{
    FAIL("a second runtime was started");
}

static void check_in_goroutine(void)
{
    CHECK(ant_id() != 0);
    CHECK_INT(ant_run(never, NULL, NULL), ANT_EGOROUTINE);
    CHECK_INT(ant_start(NULL), ANT_EGOROUTINE);
    CHECK_INT(ant_stop(), ANT_EGOROUTINE);
    CHECK_INT(ant_run(NULL, NULL, NULL), -EINVAL);
}

static void goroutine(void *arg)
{
    check_in_goroutine();
    ant_waitgroup_done(arg);
}

static int run(void *arg)
{
    ant_waitgroup wg = {0};

    CHECK_INT(ant_id(), 1);
    check_in_goroutine();
    ant_waitgroup_add(&wg, 1);
    CHECK_INT(ant_go(goroutine, &wg), 0);
    ant_waitgroup_wait(&wg);
    return 0;
}

/* A plain thread beside a running runtime. */
static void check_in_thread(void)
{
    ant_local key;

    CHECK_INT(ant_id(), 0);
    CHECK_INT(ant_lock_thread(), ANT_ENOTGOROUTINE);
    CHECK_INT(ant_own_fenv(true), ANT_ENOTGOROUTINE);
    CHECK_INT(ant_unlock_thread(), ANT_ENOTGOROUTINE);
    CHECK_INT(ant_local_new(&key, NULL), 0);
    CHECK_INT(ant_local_set(key, &key), ANT_ENOTGOROUTINE);
    CHECK(!ant_local_get(key));
    CHECK_INT(ant_local_free(key), 0);
    ant_yield();
    ant_sleep(ANT_MILLISECOND);
}

static void exit_in_thread(void)
{
    ant_exit();
}

static void exit_beside_runtime(void)
{
    CHECK_INT(ant_start(NULL), 0);
    ant_exit();
}

static void check_exit_aborts(void (*fn)(void))
{
    char output[4096];
    int status = test_child(fn, output, sizeof output);

    CHECK(WIFSIGNALED(status));
    CHECK_INT(WTERMSIG(status), SIGABRT);
    CHECK_HAS(output, "anthill: ant_exit outside of a goroutine");
}

TEST(api_wrong_place)
{
    check_exit_aborts(exit_in_thread);
    check_exit_aborts(exit_beside_runtime);
    CHECK_INT(ant_run(run, NULL, NULL), 0);
    CHECK_INT(ant_start(NULL), 0);
    check_in_thread();
    CHECK_INT(ant_stop(), 0);
    return 0;
}
