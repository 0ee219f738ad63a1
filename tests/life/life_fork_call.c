/* life_fork_call - the child of a fork that calls into the runtime is told so and aborts, whether
 * it was forked by a goroutine or by a plain thread. The parent goes on undisturbed. */
#include "life_fork.h"

static void nothing(void *arg)
{
}

static void call_go(void)
{
    ant_go(nothing, NULL);
}

static void call_go_copy(void)
{
    ant_go_copy(nothing, "x", 1);
}

static void call_yield(void)
{
    ant_yield();
}

static void call_sleep(void)
{
    ant_sleep(1);
}

static void call_wait(void)
{
    ant_waitgroup wg = {0};

    ant_waitgroup_add(&wg, 1);
    ant_waitgroup_wait(&wg);
}

static void call_timer(void)
{
    static ant_timer timer;

    ant_timer_start(&timer, 0, nothing, NULL);
}

static void call_lock(void)
{
    ant_lock_thread();
}

static void call_exit(void)
{
    ant_exit();
}

static void call_count(void)
{
    ant_count();
}

static void call_set_procs(void)
{
    ant_set_procs(1);
}

static void call_dump(void)
{
    ant_dump(STDERR_FILENO);
}

static ant_ctx *timed;

static void call_cancel(void)
{
    ant_ctx_cancel(timed);
}

static int in_goroutine(void *arg)
{
    check_fork_aborts(call_go);
    check_fork_aborts(call_go_copy);
    check_fork_aborts(call_yield);
    check_fork_aborts(call_sleep);
    check_fork_aborts(call_wait);
    check_fork_aborts(call_timer);
    check_fork_aborts(call_lock);
    check_fork_aborts(call_exit);
    check_fork_aborts(call_count);
    check_fork_aborts(call_set_procs);
    check_fork_aborts(call_dump);
    ant_yield();
    return 0;
}

/* In a plain thread yielding and sleeping do not concern the runtime. */
static void in_thread(void)
{
    check_fork_aborts(call_go);
    check_fork_aborts(call_go_copy);
    check_fork_aborts(call_timer);
    check_fork_aborts(call_cancel);
    check_fork_aborts(call_count);
    check_fork_aborts(call_set_procs);
    check_fork_aborts(call_dump);
}

TEST(life_fork_call)
{
    CHECK_INT(ant_run(in_goroutine, NULL, NULL), 0);
    CHECK_INT(ant_start(NULL), 0);
    CHECK_INT(ant_ctx_with_timeout(&timed, NULL, ANT_HOUR), 0);
    in_thread();
    ant_ctx_unref(timed);
    CHECK_INT(ant_go(nothing, NULL), 0);
    CHECK_INT(ant_stop(), 0);
    return 0;
}
