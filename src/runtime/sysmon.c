/* sysmon.c - a thread beside the scheduler that never runs goroutines: prints the scheduler's state
 * every so often, and dumps all goroutines when SIGQUIT asks for it. It exists only if one of the two
 * is wanted. */
#include <limits.h>
#include <stdio.h>
#include <unistd.h>

#include "runtime/runtime.h"

enum { STACK = 256 << 10 };

static struct {
    pthread_t thread;
    bool running;
    bool stop;
    ant_time started;
    _Atomic uint32_t asked; /* posted by the signal handler and by stop */
    _Atomic bool dump;
} mon;

void ant__sysmon_dump(void)
{
    atomic_store(&mon.dump, true);
    atomic_store(&mon.asked, 1);
    ant__futex_wake(&mon.asked, 1);
}

static void print_trace(void)
{
    struct ant__sched *s = &ant__sched;
    char line[512];
    size_t n;
    int ms, idle_ms, global;

    ant__lock(&s->lock);
    ms = s->ms;
    idle_ms = s->idle_ms_n + s->locked_ms_n;
    global = s->global.n;
    ant__unlock(&s->lock);
    n = (size_t)snprintf(line, sizeof line,
                         "SCHED %lldms: procs=%d idleprocs=%d threads=%d idlethreads=%d spinning=%d "
                         "goroutines=%d runqueue=%d [",
                         (long long)((ant__now() - mon.started) / ANT_MILLISECOND),
                         ant__load_relaxed(&s->procs), ant__load_relaxed(&s->idle_ps_n), ms,
                         idle_ms, ant__load_relaxed(&s->spinning), ant__g_count(), global);
    for (int i = 0; i < ant__load_acquire(&s->all_ps_n) && n < sizeof line - 16; i++)
        n += (size_t)snprintf(line + n, sizeof line - n, "%s%d", i ? " " : "",
                              ant__runq_len(&ant__p_at(i)->runq));
    ant__print(STDERR_FILENO, "%s]\n", line);
}

static void *monitor(void *arg)
{
    ant_duration period = ant__sched.config.schedtrace * ANT_MILLISECOND;
    ant_time next = period ? mon.started + period : ANT__NEVER;

    for (;;) {
        ant__futex_wait(&mon.asked, 0, next);
        if (atomic_exchange(&mon.asked, 0) && mon.stop)
            return NULL;
        if (atomic_exchange(&mon.dump, false))
            ant__dump(NULL, STDERR_FILENO);
        if (ant__now() >= next) {
            print_trace();
            next += period;
        }
    }
}

int ant__sysmon_start(void)
{
    int err = 0;

    mon.running = mon.stop = false;
    mon.started = ant__now();
    ant__store_relaxed(&mon.asked, 0);
    if (ant__sched.config.schedtrace || ant__sched.config.dump_on_quit) {
        err = ant__thread_create(&mon.thread, STACK, monitor, NULL);
        mon.running = err == 0;
    }
    return err;
}

void ant__sysmon_stop(void)
{
    if (!mon.running)
        return;
    mon.stop = true;
    atomic_store(&mon.asked, 1);
    ant__futex_wake(&mon.asked, 1);
    pthread_join(mon.thread, NULL);
    mon.running = false;
}

int ant__sysmon_threads(void)
{
    return mon.running;
}
