/* preempt_order - a goroutine that was interrupted goes behind all that wait in the global queue; with
 * one P, so that none of them runs beside it, and with several signals. As many as may compute beside
 * the P do so already: nothing but the signal makes it let go.
 *
 * Catches: one that is put in front, or in its P's own queue; a signal other than the usual one that is
 * not sent, or not met. (Then it hangs.) */
#include <signal.h>
#include <stdatomic.h>

#include <anthill.h>

#include "always_hogs.h"
#include "preempt.h"

enum { OTHERS = 5, ROUNDS = 5 };

static _Atomic int ran;
static _Atomic bool released;
static ant_waitgroup wg;

static void keep_on(void *arg)
{
    while (!atomic_load_explicit(&released, memory_order_relaxed))
        continue;
    ant_waitgroup_done(&wg);
}

static void run_once(void *arg)
{
    atomic_fetch_add(&ran, 1);
}

/* All of them at once: inside the runtime nobody is interrupted. */
static void queue_others(void)
{
    struct ant__glist list = {0};
    struct ant__m *m = ant__enter();

    for (int i = 0; i < OTHERS; i++)
        ant__glist_push(&list, ant__g_new(m->p, run_once, NULL, ant__sched.default_class));
    ant__ready_list(NULL, &list);
    ant__leave(m);
}

static void compute(void *arg)
{
    for (int round = 0; round < ROUNDS; round++) {
        atomic_store(&ran, 0);
        queue_others();
        while (atomic_load_explicit(&ran, memory_order_relaxed) == 0)
            continue; /* until it is interrupted; a call into libc would be no good moment for it */
        CHECK_INT(atomic_load(&ran), OTHERS);
    }
    atomic_store(&released, true);
    ant_waitgroup_done(&wg);
}

static int run(void *arg)
{
    const ant_go_options options = {.preempt = ANT_PREEMPT_SIGNAL};
    uint64_t before = preempted();

    if (!can_preempt())
        return 0;
    atomic_store(&released, false);
    ant_waitgroup_add(&wg, 2);
    CHECK_INT(ant_go(keep_on, NULL), 0);
    CHECK_INT(ant_go_opts(&options, compute, NULL), 0);
    ant_waitgroup_wait(&wg);
    CHECK(preempted() >= before + ROUNDS);
    return 0;
}

static void check(int signal)
{
    CHECK_INT(
        ant_run(run, NULL, &(ant_config){.procs = 1, .max_hogs = 1, .preempt_signal = signal}), 0);
}

TEST(preempt_order)
{
    CHECK_INT(unsetenv("ANTHILL"), 0);
    ant__slice = ANT_MILLISECOND;
    check(0);
    check(SIGUSR1);
    check(SIGWINCH);
    check(SIGRTMIN + 3);
    return 0;
}
