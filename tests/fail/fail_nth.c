/* fail_nth - a program that uses everything, in a child process each time, where the n-th thing
 * that is asked of the system is refused, for every n until none is; then with all from the n-th on
 * refused. It must go on, or be told by an error code and leave nothing behind, or end by abort
 * with a clear message. It must not hang, nor crash in any other way. */
#include <errno.h>
#include <limits.h>
#include <signal.h>

#include <anthill.h>

#include "base/sys.h"
#include "check.h"

enum { NOT_REACHED = 3, SLEEPERS = 20, TIMERS = 10, TIED = 3 };

static long nth, times;
static int many; /* goroutines at once */
static ant_waitgroup wg;
static ant_local key;
static ant_timer timers[TIMERS];

/* What cannot be started is not waited for. */
static void started(int err)
{
    if (!err)
        return;
    if (err != -ENOMEM && err != -EAGAIN)
        FAIL("an undocumented error: %s", ant_err_name(err));
    ant_waitgroup_done(&wg);
}

static void destroy(void *value)
{
    ant_waitgroup_done(&wg);
}

static void sleeper(void *arg)
{
    ant_sleep(50 * ANT_MICROSECOND);
    ant_yield();
    ant_waitgroup_done(&wg);
}

static void with_local(void *arg)
{
    int err = ant_local_set(key, &key);

    if (err)
        started(err);
    else
        ant_yield(); /* done by destroy */
}

static void tied(void *arg)
{
    CHECK_INT(ant_lock_thread(), 0);
    ant_sleep(100 * ANT_MICROSECOND);
    ant_yield();
    if (arg)
        CHECK_INT(ant_unlock_thread(), 0);
    ant_waitgroup_done(&wg); /* else the thread ends with it */
}

static void empty(void *arg)
{
    ant_waitgroup_done(&wg);
}

static void panics(void *arg)
{
    ant_panic("x");
}

static void workload(void)
{
    static char bytes[2000];
    int was;

    for (int i = 0; i < SLEEPERS; i++) {
        const ant_go_options options = {.name = "sleeper",
                                        .stack_size = (size_t)(64 << 10) << i % 3};

        started(ant_go_opts(i % 2 ? &options : NULL, sleeper, NULL));
        started(ant_go_copy(sleeper, bytes, (size_t)i * 100));
        started(ant_go(with_local, NULL));
    }
    for (int i = 0; i < TIED; i++)
        started(ant_go(tied, i ? &wg : NULL));
    for (int i = 0; i < TIMERS; i++)
        started(ant_timer_start(&timers[i], i * 20 * ANT_MICROSECOND, empty, NULL));
    if (ant_set_procs(6) > 0)
        ant_yield();
    CHECK_INT(ant_try(panics, NULL, NULL), ANT_EPANIC);
    for (int i = 0; i < many; i++)
        started(ant_go(empty, NULL));
    CHECK(ant_set_procs(1) > 0);
    ant_sleep(ANT_MILLISECOND);
    was = ant_set_procs(2);
    if (was != 1 && was != -ENOMEM)
        FAIL("ant_set_procs returned %d", was);
}

static int run(void *arg)
{
    ant_waitgroup_add(&wg, 3 * SLEEPERS + TIED + TIMERS + many);
    workload();
    ant_waitgroup_wait(&wg);
    return 0;
}

static void child(void)
{
    struct test_resources before;
    bool reached;
    int err;

    test_one_arena();
    alarm(60);
    CHECK_INT(ant_local_new(&key, destroy), 0);
    if (TEST_SANITIZED) { /* TSan makes a thread of its own when the first one is made */
        CHECK_INT(ant_start(NULL), 0);
        CHECK_INT(ant_stop(), 0);
    }
    before = test_resources_now();
    many = test_is_slow() ? 1000 : 20000; /* more than a slab of Gs */
    ant__fail_times = times;
    ant__fail_after = nth;
    err = ant_run(run, NULL, &(ant_config){.fault_panics = true});
    reached = ant__fail_after == 0 || ant__fail_times < times;
    ant__fail_after = 0;
    if (err != 0 && err != -ENOMEM && err != -EAGAIN)
        FAIL("ant_run returned %s", ant_err_name(err));
    test_resources_check(&before, 200); /* libc keeps stacks of threads */

    wg = (ant_waitgroup){0};
    many = 100;
    CHECK_INT(ant_run(run, NULL, NULL), 0); /* and it all works again */
    if (!reached)
        _exit(NOT_REACHED);
}

/* Returns whether there was an n-th request. */
static bool check_nth(void)
{
    static char output[65536];
    int status = test_child(child, output, sizeof output);
    const char *how = times == 1 ? "" : " and all later ones";

    if (WIFEXITED(status) && (WEXITSTATUS(status) == 0 || WEXITSTATUS(status) == NOT_REACHED))
        return WEXITSTATUS(status) == 0;
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM)
        FAIL("failure %ld%s: hangs: %s", nth, how, output);
    if (!WIFSIGNALED(status) || WTERMSIG(status) != SIGABRT)
        FAIL("failure %ld%s: status 0x%x: %s", nth, how, status, output);
    if (!strstr(output, "anthill: "))
        FAIL("failure %ld%s: aborts without a message: %s", nth, how, output);
    if (strstr(output, "overflow") || strstr(output, "deadlock"))
        FAIL("failure %ld%s: aborts for something else: %s", nth, how, output);
    return true;
}

static long check_all(long how_many)
{
    /* The suite takes samples, others in each run. */
    int step = test_is_slow() ? 16 : test_divisor() > 1 ? 4 : 1;
    int beyond = 0; /* how many requests there are is not the same each time */

    times = how_many;
    for (nth = 1 + getpid() % step; beyond < 3; nth += step)
        beyond = check_nth() ? 0 : beyond + 1;
    return nth;
}

TEST(fail_nth)
{
    const char *only = getenv("NTH"); /* to look at one of them */

    if (only) {
        nth = atol(only);
        times = getenv("ALL") ? LONG_MAX : 1;
        child();
        return 0;
    }
    CHECK(check_all(1) > 20);
    CHECK(check_all(LONG_MAX) > 20);
    return 0;
}
