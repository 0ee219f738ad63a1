/* m.c - threads: making, waking, lending and ending them; those tied to a goroutine. Where they sleep
 * is in idle.c. */
#define _GNU_SOURCE
#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "runtime/netpoll.h"
#include "runtime/signals.h"

enum {
    THREAD_STACK = 256 << 10, /* g0's; the scheduler needs a few KB, sanitizers and dumps more */
    AT_LIMIT = 1,             /* told by start: there are as many threads as may be */
};

/* Under sched.lock. */
bool ant__m_take_idle_p(struct ant__m *m)
{
    m->p = ant__p_idle_get();
    if (m->p)
        m->p->m = m;
    return m->p != NULL;
}

/* ---- making and ending threads ---- */

/* Under sched.lock. */
static bool one_more_is_allowed(void)
{
    const struct ant__sched *s = &ant__sched;

    return s->ms - s->ending_ms_n < s->config.max_threads;
}

static bool list_new(struct ant__m *m)
{
    struct ant__sched *s = &ant__sched;
    bool allowed;

    ant__lock(&s->lock);
    allowed = ant__load_relaxed(&s->life) == ANT__RUNNING && one_more_is_allowed();
    if (allowed) {
        m->next_all = s->all_ms;
        s->all_ms = m;
        s->ms++;
        ant__store_relaxed(&m->claim, s->claims);
        ant__store_relaxed(&m->user, ANT__ASLEEP); /* until there is a thread */
        m->p->m = m;
    }
    ant__unlock(&s->lock);
    return allowed;
}

static void unlist_all(struct ant__m *m)
{
    struct ant__m **link = &ant__sched.all_ms;

    while (*link != m)
        link = &(*link)->next_all;
    *link = m->next_all;
    ant__sched.ms--;
}

static void unlist_new(struct ant__m *m)
{
    ant__lock(&ant__sched.lock);
    unlist_all(m);
    m->p->m = NULL;
    if (ant__sched.ms == 0) /* the others have ended meanwhile */
        ant__note_post(&ant__sched.all_gone);
    ant__unlock(&ant__sched.lock);
}

/* Those of the list whose threads have not come to their end yet. */
static struct ant__m *join_finished(struct ant__m *m)
{
    struct ant__m *left = NULL;

    while (m) {
        struct ant__m *next = m->next_all;

        if (pthread_tryjoin_np(m->thread, NULL) == 0) {
            free(m);
        } else {
            m->next_all = left;
            left = m;
        }
        m = next;
    }
    return left;
}

/* Called when an M falls asleep or is about to end. If all Ms do, for lack of work or for their own
 * goroutine, and no timer, no signal and no other thread can ready one, none will ever run again: the program
 * is ended. True: it looks like that, but for a thread that is none of ours, or for sysmon, which will
 * look again. Under sched.lock. */
bool ant__ms_deadlocked(void)
{
    struct ant__sched *s = &ant__sched;

    if (s->idle_ms_n + s->stuck_ms_n < s->ms || !ant__load_relaxed(&s->main_mode) ||
        s->config.no_deadlock_report || ant__load_relaxed(&s->life) != ANT__RUNNING ||
        ant__work_waits() || ant__timers_next() != ANT__NEVER || ant__poll_waits() ||
        ant__signals_awaited())
        return false;
    s->ended_ms = join_finished(s->ended_ms);
    /* Sysmon may have somebody in its hands, which is asked after the queues and the count of those that
     * wait (acquire); and a thread that is not gone may yet call us, from a destructor. */
    if (ant__load_acquire(&s->sysmon_looks) || s->ended_ms || s->ending_ms_n > 0 || !ant__alone())
        return true;
    ant__unlock(&s->lock);
    ant__deadlock();
}

void ant__ms_check_deadlock(void)
{
    if (ant__ms_deadlocked())
        ant__sysmon_suspect_deadlock();
}

/* The thread's last act on what all share: from here on it may be joined. An orphan was
 * struck off the lists before, and may meet another run of the runtime here. */
static void list_ended(struct ant__m *m)
{
    struct ant__sched *s = &ant__sched;

    ant__lock(&s->lock);
    if (m->orphan) {
        ant__unlock(&s->lock);
        free(m);
        return;
    }
    unlist_all(m);
    if (s->ms == 0)
        ant__note_post(&s->all_gone);
    if (m->stuck)
        s->stuck_ms_n--;
    if (m->ending)
        s->ending_ms_n--;
    m->next_all = s->ended_ms;
    s->ended_ms = m;
    ant__unlock(&s->lock);
}

static void adopt_own_stack(struct ant__m *m)
{
    pthread_attr_t attr;
    void *low = NULL;
    size_t size = 0;

    if (pthread_getattr_np(pthread_self(), &attr) == 0) {
        pthread_attr_getstack(&attr, &low, &size);
        pthread_attr_destroy(&attr);
    }
    ant__track_adopt(&m->track, low, size);
}

static void get_stuck(struct ant__m *m);

static void *thread_main(void *arg)
{
    struct ant__m *m = arg;

    m->thread = pthread_self();
    ant__cancel_off(); /* whatever a goroutine does */
    ant__set_m(m);
    ant__unrest(m);
    m->errno_at = ant__errno_at();
    m->exceptions = ant__exceptions_at();
    ant__store_relaxed(&m->tid, gettid());
    adopt_own_stack(m);
    ant__fault_stack_set(m);
    prctl(PR_SET_TIMERSLACK, 1UL, 0UL, 0UL, 0UL); /* timers to the microsecond, not to 50 of them */
    m->p->now = ant__now();
    ant__schedule(m);
    ant__fault_stack_drop(m);
    if (!(ant__load_acquire(&m->claim) & ANT__CLAIM_STOP))
        get_stuck(m);
    ant__set_m(NULL);
    list_ended(m);
    return NULL;
}

static struct ant__m *take_ended(void)
{
    struct ant__m *ended = ant__sched.ended_ms;

    ant__sched.ended_ms = NULL;
    return ended;
}

/* Frees Ms that have ended while the runtime runs. When it stops others end too, whose notes
 * somebody may be about to post: they are freed when nobody is left who could. Those whose threads
 * are not quite at their end are left for later: they may be in a destructor that calls us. */
static void join_ended(void)
{
    struct ant__sched *s = &ant__sched;

    ant__lock(&s->lock);
    if (ant__load_relaxed(&s->life) == ANT__RUNNING)
        s->ended_ms = join_finished(s->ended_ms);
    ant__unlock(&s->lock);
}

struct new_m {
    struct ant__p *p;
    bool spinning;
    int err;
};

static void m_new(void *arg)
{
    struct new_m *new = arg;
    struct ant__m *m;

    join_ended();
    new->err = ant__alloc_aligned((void **)&m, ANT__CACHE_LINE, sizeof *m);
    if (new->err)
        return;
    m->p = new->p;
    m->spinning = new->spinning;
    if (!list_new(m)) {
        free(m);
        new->err = AT_LIMIT;
        return;
    }
    new->err = ant__sysmon_thread_create(ant__m(), THREAD_STACK, thread_main, m);
    if (new->err) {
        unlist_new(m);
        free(m);
    }
}

/* ---- waking ---- */

static int start(struct ant__p *p, bool spinning)
{
    struct ant__m *m;
    bool was_keeper;

    ant__lock(&ant__sched.lock);
    m = ant__ms_take_idle(&was_keeper);
    if (m) { /* under the lock: stopping may post the note too */
        m->next_p = p;
        m->spinning = spinning;
        p->m = m;
    }
    ant__unlock(&ant__sched.lock);
    atomic_fetch_add_explicit(&ant__sched.wakeups, 1, memory_order_relaxed);
    if (!m) {
        struct new_m new = {.p = p, .spinning = spinning};

        ant__with_room(m_new, &new);
        return new.err;
    }
    ant__m_post(m);
    if (was_keeper && !spinning) /* a spinner wakes the next one itself */
        ant__wake_one();
    return 0;
}

int ant__m_start_first(struct ant__p *p)
{
    int err = start(p, false);

    if (err == AT_LIMIT) { /* a plain thread's ant_go was quicker */
        ant__p_put(p);
        err = 0;
    }
    return err;
}

/* Ms that will not look for work: the stuck ones, and the caller, if it is about to be. Under
 * sched.lock. */
static int ms_stuck(void)
{
    struct ant__m *m = ant__m();

    return ant__sched.stuck_ms_n + (m && !m->p && !m->stuck && (m->locked_g || m->ended));
}

/* Not under sched.lock, unless the process ends: writing may block. threads: how many there are. */
static void tell_no_thread(int err, int threads)
{
    if (ant__sysmon_is_caller() && !ant__log_has_room())
        return;
    if (err == AT_LIMIT)
        ant__log("cannot make a thread: %d is the limit (threads in ANTHILL, or max_threads in "
                 "ant_config); goroutines that block their threads keep others waiting now",
                 ant__sched.config.max_threads);
    else
        ant__log("cannot make a thread (%s): going on with %d of them", ant_strerror(err), threads);
}

/* m has left its goroutine, and waits for it or, being the caller, is about to. Under sched.lock. */
static bool can_be_lent(const struct ant__m *m)
{
    return m->stuck || (m == ant__m() && !m->p);
}

/* Whether that may be so of anybody. Under sched.lock. */
static bool may_lend(void)
{
    const struct ant__m *m = ant__m();

    return ant__sched.stuck_ms_n > 0 || (m && !m->p && m->locked_g);
}

/* The first goroutine in the global queue that is tied to a thread which waits for it: it may have p.
 * Returns that thread, or NULL. Under sched.lock. */
static struct ant__m *lend(struct ant__p *p)
{
    struct ant__glist rest = {0};
    struct ant__m *owner = NULL;
    struct ant__g *g;

    if (!may_lend())
        return NULL;
    while ((g = ant__glist_pop(&ant__sched.global))) {
        if (!owner && ant__g_is(g, ANT__G_LOCKED) && can_be_lent(g->stack->locked_m))
            owner = g->stack->locked_m;
        else
            ant__glist_push(&rest, g);
    }
    ant__sched.global = rest;
    ant__store_relaxed(&ant__sched.global_n, rest.n);
    if (owner) {
        ant__sched.stuck_ms_n--; /* may be early: then it is -1 for a moment */
        owner->next_p = p;
        p->m = owner;
    }
    return owner;
}

static bool any_stuck(void)
{
    bool any;

    ant__lock(&ant__sched.lock);
    any = ant__sched.stuck_ms_n > 0;
    ant__unlock(&ant__sched.lock);
    return any;
}

/* There is something to be done for which a thread is needed, and all are tied and wait. Who woke us
 * may be late: what he queued can have run, and its thread wait for it again. Sysmon looks after the
 * descriptors; while it has a P in its hands, where a goroutine of those threads may be queued, it is
 * left to find out itself. Under sched.lock. */
static bool is_the_end(void)
{
    struct ant__sched *s = &ant__sched;

    return s->ms > 0 && ms_stuck() >= s->ms && ant__load_relaxed(&s->life) == ANT__RUNNING &&
           (s->global.n > 0 || ant__timers_next() != ANT__NEVER) &&
           (!ant__load_acquire(&s->sysmon_looks) || ant__sysmon_is_caller());
}

/* Under sched.lock. */
static void end_if_all_are_tied(int err, bool tell)
{
    if (!is_the_end())
        return;
    if (tell)
        tell_no_thread(err, ant__sched.ms);
    ant__fatal("no thread is left that could run a goroutine: all %d are tied to goroutines by "
               "ant_lock_thread",
               ant__sched.ms);
}

static void check_deadlock(void)
{
    ant__lock(&ant__sched.lock);
    ant__ms_check_deadlock();
    ant__unlock(&ant__sched.lock);
}

static void all_that_waits_to_global(struct ant__p *p)
{
    ant__runq_to_global(p);
    if (!ant__m() && any_stuck()) /* sysmon, most likely, which is here again and again */
        ant__all_to_global(p);
}

/* Under sched.lock. */
static bool one_has_ended(void)
{
    return one_more_is_allowed() && ant__load_relaxed(&ant__sched.life) == ANT__RUNNING;
}

static bool is_first_to_tell(void)
{
    return !atomic_exchange(&ant__sched.told_no_thread, true) &&
           ant__load_relaxed(&ant__sched.life) == ANT__RUNNING;
}

struct no_thread {
    struct ant__p *p;
    bool spinning;
    int err;
    bool try_again; /* a thread began to end meanwhile, so that another one may be made */
};

/* Without a thread for it the P stays idle, and what it had queued goes to the global queue. There
 * an M finds it that is running now, or is on its way to sleep (ant__m_sleep looks there under the
 * lock); one that fell asleep meanwhile is woken. Of what is tied to a thread, that thread is lent the
 * P, which may be queued with any P, whose goroutine may not let go of it for long.
 * With room, as it may count the process's threads, and has messages. */
static void do_without(void *arg)
{
    struct no_thread *none = arg;
    struct ant__p *p = none->p;
    struct ant__sched *s = &ant__sched;
    struct ant__m *tied;
    bool wake, out, tell;
    int threads;

    all_that_waits_to_global(p);
    ant__lock(&s->lock);
    none->try_again = none->err == AT_LIMIT && one_has_ended();
    if (none->try_again) {
        ant__unlock(&s->lock);
        return;
    }
    if (none->spinning) /* before the unlock: see wake_spinner */
        atomic_fetch_sub(&s->spinning, 1);
    tied = lend(p);
    out = !tied && p->id >= ant__load_relaxed(&s->procs);
    if (!tied && !out)
        ant__p_idle_put(p);
    tell = is_first_to_tell();
    threads = s->ms;
    if (!tied)
        end_if_all_are_tied(none->err, tell);
    wake = s->idle_ms != NULL;
    ant__unlock(&s->lock);
    if (out)
        ant__p_put(p);
    if (tied)
        ant__m_post(tied);
    if (wake)
        ant__wake_one();
    if (tell)
        tell_no_thread(none->err, threads);
    check_deadlock(); /* a thread that was listed before it could not be made may have hidden it */
}

static void start_or_do_without(void *arg)
{
    struct no_thread *none = arg;

    do {
        none->try_again = false;
        none->err = start(none->p, none->spinning);
        if (none->err)
            ant__with_room(do_without, none);
    } while (none->try_again);
}

void ant__m_start(struct ant__p *p, bool spinning)
{
    struct no_thread none = {.p = p, .spinning = spinning};

    ant__with_room_for(ANT__ROOM_TO_WAKE, start_or_do_without, &none);
}

/* ---- giving a P away ---- */

bool ant__m_pass_on(struct ant__m *m)
{
    struct ant__p *p = m->p;

    p->own_first = true;
    if (start(p, false) == 0) {
        m->p = NULL;
        return true;
    }
    ant__lock(&ant__sched.lock);
    p->m = m;
    ant__unlock(&ant__sched.lock);
    ant__count(&p->switches, 1); /* it begins another slice */
    return false;
}

void ant__p_hand_off(struct ant__p *p)
{
    p->own_first = true;
    if (p->id < ant__load_relaxed(&ant__sched.procs) &&
        (!ant__runq_empty(&p->runq) || ant__load_relaxed(&ant__sched.global_n) > 0)) {
        ant__m_start(p, false);
        return;
    }
    p->unwatched = false;
    ant__p_put(p);
    ant__fence(); /* as in find_work: give up, then look once more */
    if (ant__work_waits() || ant__timers_next() < ant__load_relaxed(&ant__sched.keeper_until) ||
        ant__poll_is_unattended())
        ant__wake_one();
}

/* ---- threads tied to a goroutine ---- */

/* m will run no goroutine from here on, at least until its own can run. If by this no thread is
 * left for the others, as one could not be made, that is tried once more, or the end. */
static void get_stuck(struct ant__m *m)
{
    struct ant__sched *s = &ant__sched;
    bool all_stuck;

    if (m->ended) {
        join_ended(); /* those before it, so that few are left */
        ant__lock(&s->lock);
        m->ending = true;
        s->ending_ms_n++; /* so that there is room for another thread */
        ant__unlock(&s->lock);
    }
    if (m->p) {
        struct ant__p *p = m->p;

        m->p = NULL;
        ant__p_hand_off(p);
    }
    ant__lock(&s->lock);
    m->stuck = true;
    s->stuck_ms_n++;
    ant__ms_check_deadlock();
    /* Or it can be us who are to go on, with a P for which no thread can be made (lend). */
    all_stuck = s->stuck_ms_n == s->ms || ant__load_relaxed(&s->told_no_thread);
    ant__unlock(&s->lock);
    if (all_stuck &&
        (ant__work_waits() || ant__timers_next() != ANT__NEVER || ant__poll_is_unattended()))
        ant__wake_one();
}

/* m's goroutine is not running: until it can, the thread sleeps without P. */
void ant__m_wait_locked(struct ant__m *m)
{
    get_stuck(m);
    ant__m_wait(m, ANT__NEVER);
    ant__note_clear(&m->note);
    ant__lock(&ant__sched.lock); /* woken to stop, while another thread may be lending its P */
    m->stuck = false;
    m->p = m->next_p;
    m->next_p = NULL;
    ant__unlock(&ant__sched.lock);
    if (m->p)
        m->p->now = ant__now();
}

/* g is to run, but only in its own thread: lend that thread our P. */
void ant__m_run_locked(struct ant__m *m, struct ant__g *g)
{
    struct ant__m *owner = g->stack->locked_m;

    ant__lock(&ant__sched.lock);
    ant__sched.stuck_ms_n--; /* may be early, as in lend */
    owner->next_p = m->p;
    m->p->m = owner;
    m->p->timers_first = true;
    ant__unlock(&ant__sched.lock);
    m->p = NULL;
    ant__m_post(owner);
}

/* ---- stopping ---- */

void ant__ms_claim(uint32_t claim)
{
    struct ant__m *m;

    ant__lock(&ant__sched.lock);
    ant__sched.claims |= claim;
    for (m = ant__sched.all_ms; m; m = m->next_all) {
        atomic_fetch_or(&m->claim, claim);
        if (!(claim & ANT__CLAIM_STOP))
            continue;
        if (m->idle)
            ant__ms_unlist_idle(m);
        ant__m_post(m);
    }
    ant__unlock(&ant__sched.lock);
}

void ant__ms_unclaim(uint32_t claim)
{
    struct ant__m *m;

    ant__lock(&ant__sched.lock);
    ant__sched.claims &= ~claim;
    for (m = ant__sched.all_ms; m; m = m->next_all)
        atomic_fetch_and(&m->claim, ~claim);
    ant__unlock(&ant__sched.lock);
}

bool ant__ms_outside(struct ant__m *but)
{
    bool outside = true;
    struct ant__m *m;

    ant__lock(&ant__sched.lock);
    for (m = ant__sched.all_ms; m; m = m->next_all)
        outside &= m == but || ant__load_acquire(&m->user) != ANT__INSIDE;
    ant__unlock(&ant__sched.lock);
    return outside;
}

bool ant__ms_wait_ended(ant_time deadline)
{
    struct ant__sched *s = &ant__sched;
    bool all;

    ant__lock(&s->lock);
    all = s->ms == 0;
    if (!all)
        ant__note_clear(&s->all_gone); /* there may have been none before */
    ant__unlock(&s->lock);
    return all || ant__note_wait(&s->all_gone, deadline);
}

/* Those that have not ended are in user code, from which no way leads back. */
bool ant__ms_none_inside(void)
{
    bool none = true;

    ant__lock(&ant__sched.lock);
    for (struct ant__m *m = ant__sched.all_ms; m; m = m->next_all)
        none &= ant__load_acquire(&m->user) == ANT__IN_USER_CODE;
    ant__unlock(&ant__sched.lock);
    return none;
}

bool ant__ms_leave_orphans(void)
{
    struct ant__sched *s = &ant__sched;
    bool all;

    ant__lock(&s->lock);
    all = s->ms == 0;
    for (struct ant__m *m = s->all_ms; m; m = m->next_all) {
        m->orphan = true;
        pthread_detach(m->thread);
    }
    ant__unlock(&s->lock);
    return all;
}

bool ant__ms_joined(void)
{
    struct ant__sched *s = &ant__sched;
    bool all;

    ant__lock(&s->lock);
    s->ended_ms = join_finished(s->ended_ms);
    all = !s->ended_ms;
    ant__unlock(&s->lock);
    return all;
}

/* They have nothing of ours any more. */
int ant__ms_detach(void)
{
    struct ant__m *ended = take_ended(), *next;
    int n = 0;

    for (; ended; ended = next, n++) {
        next = ended->next_all;
        pthread_detach(ended->thread);
        free(ended);
    }
    return n;
}
