/* sysmon.c - a thread beside the scheduler that never runs goroutines. It watches the Ps and takes
 * them from who keeps them too long (seize.c), makes all other threads, looks again at what may be a
 * deadlock, prints the scheduler's state every so often, delivers signals (sync/signal.c) and has all
 * goroutines dumped when SIGQUIT asks for it. It must not block: so it prints only while standard error
 * has room.
 *
 * Rhythm. It looks at the Ps every 20 us while it finds something to do there, and for a while after a
 * goroutine was seen that blocks its thread; otherwise less and less often, down to every 10 ms. When all Ps were idle at two
 * looks in a row it sleeps without a deadline, and who takes the first P rouses it, to look a
 * millisecond later: it says so in sched.unwatched and looks at idle_ps_n once more, who takes a P
 * changes idle_ps_n and then reads unwatched. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "runtime/netpoll.h"
#include "runtime/signals.h"

enum {
    STACK = 256 << 10,
    LOOK_SOON = 20 * ANT_MICROSECOND,
    LOOK_FIRST = ANT_MILLISECOND,
    LOOK_LATE = 10 * ANT_MILLISECOND,
    LOOKS_SOON = 50, /* after a blocking section, or a call that sleeps, was seen */
    IDLE_LOOKS = 2,
};

static const ant_duration CHECK_FIRST = ANT_SECOND, CHECK_LAST = 64 * ANT_SECOND;

/* A thread to be made. Lies on the stack of who waits for it. */
struct request {
    struct request *next;
    size_t stack_size;
    void *(*fn)(void *);
    void *arg;
    int err;
    struct ant__note done;
};

static struct {
    pthread_t thread;
    _Atomic pid_t tid; /* its own, which it sets itself */
    ant_time started;
    ant_time next_look, next_trace, next_check, next_dump;
    ant_duration check_after; /* between two looks for a deadlock */
    ant_duration pace;        /* between two looks */
    int looks;                /* in vain, in a row */
    bool crowd;               /* the last one that was not was for the sake of a sleeper */
    int idle_looks;           /* with all Ps idle, in a row */
    _Atomic uint32_t asked;   /* something below was changed */
    _Atomic bool stop, dump, suspect, roused, signals;
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

void ant__sysmon_signal(void)
{
    ask(&mon.signals);
}

void ant__sysmon_suspect_deadlock(void)
{
    ask(&mon.suspect);
}

void ant__sysmon_rouse_slow(void)
{
    if (atomic_exchange(&ant__sched.unwatched, false))
        ask(&mon.roused);
}

/* ---- making threads ---- */

/* The thread tells its M who it is: when this returns it may have ended, and the M be gone. */
static int create(const struct request *r)
{
    pthread_t thread;

    return ant__thread_create(&thread, r->stack_size, r->fn, r->arg);
}

bool ant__sysmon_is_caller(void)
{
    return ant__load_relaxed(&mon.tid) == gettid();
}

int ant__sysmon_thread_create(struct ant__m *m, size_t stack_size, void *(*fn)(void *), void *arg)
{
    struct request r = {.stack_size = stack_size, .fn = fn, .arg = arg};

    if (ant__sysmon_is_caller())
        return create(&r);
    ant__lock(&mon.lock);
    r.next = mon.requests;
    mon.requests = &r;
    ant__unlock(&mon.lock);
    atomic_store(&mon.asked, 1);
    ant__futex_wake(&mon.asked, 1);
    if (m)
        ant__rest(m); /* others may be waiting for us to be outside, for a dump */
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
        r->err = create(r);
        ant__note_post(&r->done); /* r may be gone from here on */
    }
}

/* ---- watching the Ps ---- */

/* One that is held may be one too many, and not count among procs any more. */
static bool all_ps_idle(void)
{
    bool idle = atomic_load(&ant__sched.idle_ps_n) == ant__load_relaxed(&ant__sched.procs);

    if (!idle || ant__load_acquire(&ant__sched.all_ps_n) == ant__load_relaxed(&ant__sched.procs))
        return idle;
    ant__lock(&ant__sched.lock);
    for (int i = 0; i < ant__load_acquire(&ant__sched.all_ps_n); i++)
        idle &= ant__p_at(i)->use != ANT__P_HELD;
    ant__unlock(&ant__sched.lock);
    return idle;
}

static void begin_looking(void)
{
    mon.pace = LOOK_FIRST;
    mon.next_look = ant__now() + mon.pace;
    mon.looks = mon.idle_looks = 0;
}

static ant_duration next_pace(struct ant__look look)
{
    if (look.acted || ((look.blocking || mon.crowd) && mon.looks < LOOKS_SOON))
        return LOOK_SOON;
    if (look.new_section && mon.pace == LOOK_LATE)
        return LOOK_SOON; /* once, to see whether it is a long one */
    return mon.pace < LOOK_LATE / 2 && mon.idle_looks == 0 ? 2 * mon.pace : LOOK_LATE;
}

/* If nobody else does. */
static void poll_for_others(ant_time now)
{
    struct ant__glist found = {0};

    if (!ant__poll_is_due(now, LOOK_LATE))
        return;
    ant__poll_quick(NULL, &found);
    ant__ready_list(NULL, &found);
}

/* One could not be made, and somebody waits for it. */
static bool thread_is_missing(void)
{
    return ant__load_relaxed(&ant__sched.told_no_thread) &&
           (ant__work_waits() || ant__timers_next() < ant__load_relaxed(&ant__sched.keeper_until) ||
            (ant__poll_waits() && ant__poll_is_unattended()));
}

static void look_at_ps(ant_time now)
{
    bool missing = thread_is_missing();
    struct ant__look look = {0};

    mon.idle_looks = all_ps_idle() && !missing ? mon.idle_looks + 1 : 0;
    if (mon.idle_looks == 0) {
        /* What was polled, or is in a P that was taken, may be in no queue for a moment: that is not to be
         * taken for a deadlock. */
        atomic_store(&ant__sched.sysmon_looks, true);
        poll_for_others(now);
        look = ant__ps_look(now);
        if (missing)
            ant__wake_one(); /* tries again */
        atomic_store(&ant__sched.sysmon_looks, false);
    }
    mon.looks = look.acted ? 0 : mon.looks < LOOKS_SOON ? mon.looks + 1 : LOOKS_SOON;
    mon.crowd = look.acted ? look.crowd : mon.crowd;
    mon.pace = next_pace(look);
    mon.next_look = now + mon.pace;
    if (mon.idle_looks < IDLE_LOOKS)
        return;
    mon.next_look = ANT__NEVER;
    atomic_store(&ant__sched.unwatched, true);
    if (!all_ps_idle() || thread_is_missing())
        ant__sysmon_rouse_slow();
}

/* ---- looking ---- */

static bool still_suspect(void)
{
    bool suspect;

    ant__lock(&ant__sched.lock);
    suspect = ant__ms_deadlocked();
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

/* ---- what is asked for, and what is done every so often ---- */

static void dump(ant_time now)
{
    int err = ant__dump_aside();

    if (err && ant__log_has_room())
        ant__log("cannot make a thread for the dump that was asked for (%s): trying again",
                 ant_strerror(err));
    mon.next_dump = err ? now + ANT_SECOND : ANT__NEVER;
}

static void check_suspect(ant_time now)
{
    mon.check_after = mon.check_after < CHECK_LAST ? 2 * mon.check_after : CHECK_LAST;
    mon.next_check = still_suspect() ? now + mon.check_after : ANT__NEVER;
}

static void trace(void)
{
    if (ant__log_has_room())
        print_trace();
    mon.next_trace += ant__sched.config.schedtrace * ANT_MILLISECOND;
}

/* Whom it wakes is in no queue for a moment: that is not to be taken for a deadlock. */
static void deliver_signals(void)
{
    const struct ant__signal_user *user = ant__load_acquire(&ant__signal_user);

    atomic_store(&ant__sched.sysmon_looks, true);
    if (user)
        user->deliver();
    atomic_store(&ant__sched.sysmon_looks, false);
}

static void take_orders(void)
{
    ant_time now = ant__now();

    if (atomic_exchange(&mon.signals, false))
        deliver_signals();
    if (atomic_exchange(&mon.dump, false))
        mon.next_dump = now;
    if (atomic_exchange(&mon.suspect, false)) {
        mon.check_after = CHECK_FIRST;
        mon.next_check = now + CHECK_FIRST;
    }
    if (atomic_exchange(&mon.roused, false))
        begin_looking();
}

static void *monitor(void *arg)
{
    ant__store_relaxed(&mon.tid, gettid());
    ant__cancel_off();
    prctl(PR_SET_TIMERSLACK, 1UL, 0UL, 0UL, 0UL); /* else 20 us are 70 */
    for (;;) {
        ant_time now;

        ant__futex_wait(&mon.asked, 0,
                        earlier(earlier(mon.next_look, mon.next_dump),
                                earlier(mon.next_trace, mon.next_check)));
        atomic_store(&mon.asked, 0);
        serve_requests();
        if (atomic_load(&mon.stop))
            return NULL;
        take_orders();
        now = ant__now();
        if (now >= mon.next_dump)
            dump(now);
        if (now >= mon.next_look)
            look_at_ps(now);
        if (now >= mon.next_check)
            check_suspect(now);
        if (now >= mon.next_trace)
            trace();
    }
}

int ant__sysmon_start(void)
{
    atomic_store(&mon.stop, false);
    atomic_store(&mon.dump, false);
    atomic_store(&mon.suspect, false);
    atomic_store(&mon.roused, false);
    atomic_store(&mon.signals, false);
    atomic_store(&mon.asked, 0);
    atomic_store(&ant__sched.unwatched, false);
    begin_looking();
    mon.started = ant__now();
    mon.next_check = mon.next_dump = mon.next_trace = ANT__NEVER;
    if (ant__sched.config.schedtrace)
        mon.next_trace = mon.started + ant__sched.config.schedtrace * ANT_MILLISECOND;
    return ant__thread_create(&mon.thread, STACK, monitor, NULL);
}

void ant__sysmon_stop(void)
{
    ask(&mon.stop);
    pthread_join(mon.thread, NULL);
}
