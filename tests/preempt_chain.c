/* preempt_chain - a handler that was there before goes on getting what others send, and nothing of
 * what interrupts goroutines. */
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

    if (!can_preempt())
        _exit(0);
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
    CHECK_INT(setenv("ANTHILL", "procs=1", 1), 0);
    CHECK_INT(ant_run(run, NULL, &(ant_config){.max_hogs = 1}), 0);
    CHECK_INT(atomic_load(&got), SENT);
    CHECK_INT(sigaction(SIGURG, NULL, &after), 0);
    CHECK(after.sa_handler == action.sa_handler);
}

int main(void)
{
    ant__slice = 200 * ANT_MICROSECOND;
    check((struct sigaction){.sa_handler = plain});
    check((struct sigaction){.sa_sigaction = detailed, .sa_flags = SA_SIGINFO});
    return 0;
}
