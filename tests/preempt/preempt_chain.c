/* preempt_chain - a handler that was there before goes on getting what others send, and nothing of
 * what interrupts goroutines. A signal that was ignored before is ignored, and one that had its default
 * does that: it ends the process. */
#include <signal.h>
#include <stdatomic.h>

#include <anthill.h>

#include "preempt.h"

enum { HOGS = 3, SENT = 20 };

static _Atomic int got;
static _Atomic bool released;

static void plain(int signal)
{
    atomic_fetch_add(&got, 1);
}

static void detailed(int signal, siginfo_t *info, void *context)
{
    CHECK(context);
    CHECK_INT(info->si_pid, getpid());
    atomic_fetch_add(&got, 1);
}

static void hog(void *arg)
{
    while (!atomic_load_explicit(&released, memory_order_relaxed))
        continue;
    ant_waitgroup_done(arg);
}

static void send(int i)
{
    int before = atomic_load(&got);

    CHECK_INT(i % 2 ? raise(SIGURG) : kill(getpid(), SIGURG), 0);
    while (atomic_load(&got) == before)
        ant_sleep(ANT_MILLISECOND / 10);
}

static int run(void *arg)
{
    const ant_go_options options = {.preempt = ANT_PREEMPT_SIGNAL};
    uint64_t before = preempted();
    ant_waitgroup wg = {0};

    ant_waitgroup_add(&wg, HOGS);
    for (int i = 0; i < HOGS; i++)
        CHECK_INT(ant_go_opts(&options, hog, &wg), 0);
    for (int i = 0; i < SENT; i++)
        send(i);
    while (preempted() < before + SENT)
        ant_sleep(ANT_MILLISECOND);
    atomic_store(&released, true);
    ant_waitgroup_wait(&wg);
    return 0;
}

static void check(struct sigaction action)
{
    struct sigaction after;

    atomic_store(&got, 0);
    atomic_store(&released, false);
    CHECK_INT(sigaction(SIGURG, &action, NULL), 0);
    CHECK_INT(ant_run(run, NULL, &(ant_config){.max_hogs = 1}), 0);
    CHECK_INT(atomic_load(&got), SENT);
    CHECK_INT(sigaction(SIGURG, NULL, &after), 0);
    CHECK(after.sa_handler == action.sa_handler);
}

static int send_usr1(void *arg)
{
    const ant_go_options options = {.preempt = ANT_PREEMPT_SIGNAL};
    ant_waitgroup wg = {0};

    if (!can_preempt())
        _exit(0); /* of the child */
    ant_waitgroup_add(&wg, 2);
    for (int i = 0; i < 2; i++)
        CHECK_INT(ant_go_opts(&options, hog, &wg), 0);
    for (int i = 0; i < SENT; i++)
        CHECK_INT(kill(getpid(), SIGUSR1), 0);
    while (preempted() == 0) /* it goes on */
        ant_sleep(ANT_MILLISECOND);
    atomic_store(&released, true);
    ant_waitgroup_wait(&wg);
    return 0;
}

static void run_with_usr1(void)
{
    CHECK_INT(ant_run(send_usr1, NULL, &(ant_config){.procs = 1, .preempt_signal = SIGUSR1}), 0);
}

static void ignored(void)
{
    signal(SIGUSR1, SIG_IGN);
    run_with_usr1();
    CHECK(signal(SIGUSR1, SIG_DFL) == SIG_IGN);
}

static int status_of(void (*fn)(void))
{
    char output[4096];
    int status = test_child(fn, output, sizeof output);

    if (WIFEXITED(status) && WEXITSTATUS(status))
        FAIL("%s", output);
    return status;
}

static int ask_whether(void *arg)
{
    *(bool *)arg = can_preempt();
    return 0;
}

/* Returns whether goroutines can be interrupted here. */
static bool check_other_dispositions(void)
{
    bool works = false;
    int status;

    CHECK(WIFEXITED(status_of(ignored)));
    status = status_of(run_with_usr1);
    CHECK_INT(ant_run(ask_whether, &works, NULL), 0);
    if (works)
        CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGUSR1);
    return works;
}

TEST(preempt_chain)
{
    ant__slice = 200 * ANT_MICROSECOND;
    CHECK_INT(setenv("ANTHILL", "procs=1", 1), 0);
    if (!check_other_dispositions())
        return 0;
    check((struct sigaction){.sa_handler = plain});
    check((struct sigaction){.sa_sigaction = detailed, .sa_flags = SA_SIGINFO});
    return 0;
}
