/* sysmon.c - a thread beside the scheduler that never runs goroutines. It makes all other threads,
 * looks again at what may be a deadlock, prints the scheduler's state every so often and dumps all
 * goroutines when SIGQUIT asks for it. With nothing of this to do it sleeps without a deadline. */
#include <stdio.h>
#include <unistd.h>

#include "runtime/runtime.h"

enum { STACK = 256 << 10 };

static const ant_duration CHECK_FIRST = ANT_SECOND, CHECK_LAST = 64 * ANT_SECOND;

/* A thread to be made. Lies on the stack of who waits for it. */
struct request {
    struct request *next;
    pthread_t *ret_thread;
    size_t stack_size;
    void *(*fn)(void *);
    void *arg;
    int err;
    struct ant__note done;
};

static struct {
    pthread_t thread;
    ant_time started;
    _Atomic uint32_t asked; /* something below was changed */
    _Atomic bool stop, dump, suspect;
    struct ant__lock lock;
    struct request *requests; /* newest first */
} mon;

static void ask(_Atomic bool *flag)
{
    atomic_store(flag, true);
    atomic_store(&mon.asked, 1);
    ant__futex_wake(&mon.asked, 1);
}

void ant__sysmon_dump(void)
{
    ask(&mon.dump);
}

void ant__sysmon_suspect_deadlock(void)
{
    ask(&mon.suspect);
}

/* ---- making threads ---- */

int ant__sysmon_thread_create(struct ant__m *m, pthread_t *ret_thread, size_t stack_size,
                              void *(*fn)(void *), void *arg)
{
    struct request r = {.ret_thread = ret_thread, .stack_size = stack_size, .fn = fn, .arg = arg};

    ant__lock(&mon.lock);
    r.next = mon.requests;
    mon.requests = &r;
    ant__unlock(&mon.lock);
    atomic_store(&mon.asked, 1);
    ant__futex_wake(&mon.asked, 1);
    if (m)
        ant__rest(m); /* sysmon may be waiting for us to be outside, for a dump */
    ant__note_wait(&r.done, ANT__NEVER);
    if (m)
        ant__unrest(m);
    return r.err;
}

static void serve_requests(void)
{
    struct request *r, *next;

    ant__lock(&mon.lock);
    r = mon.requests;
    mon.requests = NULL;
    ant__unlock(&mon.lock);
    for (; r; r = next) {
        next = r->next;
        r->err = ant__thread_create(r->ret_thread, r->stack_size, r->fn, r->arg);
        ant__note_post(&r->done); /* r may be gone from here on */
    }
}

/* ---- looking ---- */

static bool still_suspect(void)
{
    bool suspect;

    ant__lock(&ant__sched.lock);
    suspect = ant__ms_check_deadlock();
    ant__unlock(&ant__sched.lock);
    return suspect;
}

static void print_trace(void)
{
    struct ant__sched *s = &ant__sched;
    char line[512];
    size_t n;
    int ms, idle_ms, global;

    ant__lock(&s->lock);
    ms = s->ms;
    idle_ms = s->idle_ms_n + s->stuck_ms_n;
    global = s->global.n;
    ant__unlock(&s->lock);
    n = (size_t)snprintf(
        line, sizeof line,
        "SCHED %lldms: procs=%d idleprocs=%d threads=%d idlethreads=%d spinning=%d "
        "goroutines=%d runqueue=%d [",
        (long long)((ant__now() - mon.started) / ANT_MILLISECOND), ant__load_relaxed(&s->procs),
        ant__load_relaxed(&s->idle_ps_n), ms, idle_ms, ant__load_relaxed(&s->spinning),
        ant__g_count(), global);
    for (int i = 0; i < ant__load_acquire(&s->all_ps_n) && n < sizeof line - 16; i++)
        n += (size_t)snprintf(line + n, sizeof line - n, "%s%d", i ? " " : "",
                              ant__runq_len(&ant__p_at(i)->runq));
    ant__print(STDERR_FILENO, "%s]\n", line);
}

static ant_time earlier(ant_time a, ant_time b)
{
    return a < b ? a : b;
}

static void *monitor(void *arg)
{
    ant_duration period = ant__sched.config.schedtrace * ANT_MILLISECOND;
    ant_time next_trace = period ? mon.started + period : ANT__NEVER;
    ant_time next_check = ANT__NEVER;
    ant_duration check_after = CHECK_FIRST;

    for (;;) {
        ant__futex_wait(&mon.asked, 0, earlier(next_trace, next_check));
        atomic_store(&mon.asked, 0);
        serve_requests();
        if (atomic_load(&mon.stop))
            return NULL;
        if (atomic_exchange(&mon.dump, false))
            ant__dump(NULL, STDERR_FILENO);
        if (atomic_exchange(&mon.suspect, false)) {
            check_after = CHECK_FIRST;
            next_check = ant__now() + check_after;
        }
        if (ant__now() >= next_check) {
            check_after = check_after < CHECK_LAST ? 2 * check_after : CHECK_LAST;
            next_check = still_suspect() ? ant__now() + check_after : ANT__NEVER;
        }
        if (ant__now() >= next_trace) {
            print_trace();
            next_trace += period;
        }
    }
}

int ant__sysmon_start(void)
{
    atomic_store(&mon.stop, false);
    atomic_store(&mon.dump, false);
    atomic_store(&mon.suspect, false);
    atomic_store(&mon.asked, 0);
    mon.started = ant__now();
    return ant__thread_create(&mon.thread, STACK, monitor, NULL);
}

void ant__sysmon_stop(void)
{
    ask(&mon.stop);
    pthread_join(mon.thread, NULL);
}
