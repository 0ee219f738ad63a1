/* go_lock_os_thread_avoids_state_propagation.c - what a goroutine does to the thread it is tied to
 * is not inherited by the threads that the runtime makes meanwhile.
 *
 * Catches: new threads are made by tied ones. (A thread inherits its maker's signal mask, CPUs,
 * priority, namespaces.)
 */
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"

enum { LOOKERS = 20 };

static ant_waitgroup looked, hold;

static bool blocked_here(void)
{
    sigset_t mask;

    CHECK_INT(pthread_sigmask(SIG_BLOCK, NULL, &mask), 0);
    return sigismember(&mask, SIGUSR1);
}

static void block_here(void)
{
    sigset_t mask;

    sigemptyset(&mask);
    sigaddset(&mask, SIGUSR1);
    CHECK_INT(pthread_sigmask(SIG_BLOCK, &mask, NULL), 0);
}

static void look(void *arg)
{
    for (int i = 0; i < 10; i++) {
        CHECK(!blocked_here());
        ant_yield();
    }
    ant_waitgroup_done(&looked);
}

static void spoil(void *arg)
{
    CHECK_INT(ant_lock_thread(), 0);
    block_here();
    for (int i = 0; i < LOOKERS; i++)
        CHECK_INT(ant_go(look, NULL), 0);
    ant_waitgroup_wait(&hold);
    CHECK(blocked_here());
}

static int run(void *arg)
{
    ant_waitgroup_add(&hold, 1);
    ant_waitgroup_add(&looked, 3 * LOOKERS);
    for (int i = 0; i < 3; i++)
        CHECK_INT(ant_go(spoil, NULL), 0);
    ant_waitgroup_wait(&looked);
    ant_waitgroup_done(&hold);
    return 0;
}

TEST(go_lock_os_thread_avoids_state_propagation)
{
    return ant_run(run, NULL, NULL);
}
