/* panic_seized - a goroutine whose P was taken panics, and nobody catches it: message, backtrace and dump
 * come at once, and the process ends by SIGABRT. Its thread gets signals meanwhile, whose handler has no
 * stack of its own.
 *
 * Catches: a goroutine that enters the scheduler on the stack of g0 to describe its panic. It has to
 * wait for a P there, while g0, and the handler above it, use that stack too. */
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"
#include "runtime/runtime.h"

static _Atomic pthread_t panicker;
static atomic_int sum;
static char room[8192];

static void on_signal(int signal)
{
    volatile char large[4096];

    for (size_t i = 0; i < sizeof large; i++)
        large[i] = 1;
}

static void *send_signals(void *arg)
{
    while (!atomic_load(&panicker))
        usleep(500);
    for (int i = 0; i < 20000; i++) {
        pthread_kill(atomic_load(&panicker), SIGUSR1);
        usleep(500);
    }
    return NULL;
}

static void compute(void *arg)
{
    double until = test_now() + 0.1;

    if (!arg)
        atomic_store(&panicker, pthread_self());
    while (arg || test_now() < until)
        atomic_fetch_add(&sum, 1);
    ant_panic("seized");
}

/* The last one runs first. It loses the P to the other, which keeps it for a while. */
static int run(void *arg)
{
    CHECK_INT(ant_go(compute, &sum), 0);
    CHECK_INT(ant_go(compute, NULL), 0);
    ant_sleep(ANT_HOUR);
    return 0;
}

static void child(void)
{
    struct sigaction action = {.sa_handler = on_signal};
    pthread_t thread;

    unsetenv("ANTHILL");
    alarm(20);
    sigaction(SIGUSR1, &action, NULL);
    pthread_create(&thread, NULL, send_signals, NULL);
    ant_run(run, NULL, &(ant_config){.procs = 1, .max_hogs = 1});
}

TEST(panic_seized)
{
    for (int i = 0; i < test_scale(8); i++) {
        int status = test_child(child, room, sizeof room);

        CHECK(WIFSIGNALED(status));
        CHECK_INT(WTERMSIG(status), SIGABRT);
        CHECK(strstr(room, "seized"));
        CHECK(strstr(room, " goroutines, "));
    }
    return 0;
}
