/* signals.c - see signals.h.
 *
 * The handler counts the signal and rouses sysmon: two atomic operations and a futex call. sysmon
 * then has it delivered. So a signal arrives also while all Ps compute, and it needs no memory, no
 * descriptor and no goroutine that waits for it. An idle process sleeps.
 *
 * Rejected: a pipe or eventfd that the poller watches. It arrives late if all Ps compute, it takes
 * descriptors, and its reader would hide every deadlock. Rejected: signalfd. Its signals must be
 * blocked in all threads, also in those that are not ours.
 */
#include <errno.h>
#include <signal.h>

#include "runtime/signals.h"

enum { FIRST_OF_LIBC = 32 }; /* the signals from this one to SIGRTMIN belong to libc */

static struct {
    struct sigaction before[ANT__SIGNALS];
    _Atomic uint32_t came[ANT__SIGNALS];
    _Atomic uint64_t caught;
} signals;

_Atomic(const struct ant__signal_user *) ant__signal_user;

bool ant__signal_is_free(int signal)
{
    static const int taken[] = {SIGKILL, SIGSTOP, SIGSEGV, SIGBUS, SIGFPE,
                                SIGILL,  SIGTRAP, SIGABRT, SIGSYS};

    for (size_t i = 0; i < sizeof taken / sizeof taken[0]; i++) {
        if (signal == taken[i])
            return false;
    }
    return (signal >= 1 && signal < FIRST_OF_LIBC) || (signal >= SIGRTMIN && signal <= SIGRTMAX);
}

bool ant__signal_is_catchable(int signal)
{
    const ant_config *config = &ant__sched.config;

    return ant__signal_is_free(signal) && signal != config->preempt_signal &&
           !(signal == SIGQUIT && config->dump_on_quit);
}

static void on_signal(int signal)
{
    /* release: the thread that takes it sees what was done before it was sent, at least by the
     * same thread */
    atomic_fetch_add_explicit(&signals.came[signal], 1, memory_order_release);
    ant__sysmon_signal();
}

/* SA_ONSTACK: a goroutine's stack may be small. SA_RESTART: system calls of goroutines go on. */
int ant__signal_catch(int signal)
{
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_ONSTACK | SA_RESTART};
    int saved = ant__errno(), err = 0;

    ant__store_relaxed(&signals.came[signal], 0);
    if (sigaction(signal, &action, &signals.before[signal]) == 0)
        atomic_fetch_or(&signals.caught, ant__signal_bit(signal));
    else
        err = -ant__errno();
    ant__errno_set(saved);
    return err;
}

/* Async-signal-safe. */
static void restore(int signal)
{
    struct sigaction now;
    int saved = ant__errno();

    /* Somebody who came after us keeps his own. */
    if (sigaction(signal, NULL, &now) == 0 && now.sa_handler == on_signal)
        sigaction(signal, &signals.before[signal], NULL);
    ant__errno_set(saved);
}

void ant__signal_let_go(int signal)
{
    atomic_fetch_and(&signals.caught, ~ant__signal_bit(signal));
    restore(signal);
}

uint32_t ant__signal_take(int signal)
{
    if (ant__load_relaxed(&signals.came[signal]) == 0)
        return 0;
    return atomic_exchange_explicit(&signals.came[signal], 0, memory_order_acquire);
}

void ant__signals_forked(void)
{
    uint64_t caught = atomic_exchange(&signals.caught, 0);

    for (int signal = 1; signal < ANT__SIGNALS; signal++) {
        if (caught & ant__signal_bit(signal))
            restore(signal);
    }
}
