/* seize.c - who owns a P: taking one from a thread that is in user code for too long, and blocking
 * sections.
 *
 * Glossary
 *   hog       a goroutine that computes for longer than a slice
 *   sleeper   one whose thread sleeps in a system call that nobody announced
 *   section   what a goroutine does between ant_blocking_begin and ant_blocking_end
 *
 * A goroutine that computes for long, or sits in a system call, keeps its P from the others. It
 * cannot be interrupted (it may hold malloc's lock, or be in a call that would fail with EINTR), but
 * it does not need its P either: in user code a thread touches neither M nor P. So sysmon takes the
 * P away and gives it to another M. The goroutine runs on, as an ordinary thread would, on a bare M,
 * and finds out when it next enters the runtime: then it takes an idle P, or queues itself globally
 * and its thread goes to sleep. It stays on its thread, as any call may meet this, also those of
 * which nobody expects that thread-locals change: while it is queued it is tied to the thread.
 *
 * How soon. A hog keeps its P for a slice of 10 ms. A sleeper keeps it until sysmon has found it asleep
 * at one look and in the same place as at the look before. Looks are 20 us apart for as long as one sleeper
 * follows the other, so a crowd of them is through in less than 0.1 ms each. A thread that used up little
 * of the time between two looks is a sleeper if the system says that it is not runnable. CPU time alone
 * would not do: a goroutine that polls every millisecond uses some, and a hog on a busy machine none.
 *
 * Each M has a word of claims that every entry reads. In the order of what happens to a hog:
 *   YIELD     sysmon asks it to let others run. A goroutine that enters now and then obeys at its
 *             next entry: it gives its P to another M and queues itself, as above.
 *   TAKEN     if it has not entered until sysmon looks again, sysmon makes a membarrier and reads
 *             m->user. If that says user code, then every later entry sees YIELD, goes the slow way
 *             and removes the claims by one atomic step; sysmon adds TAKEN by another one, if YIELD
 *             is still there. Whose step comes first has the P. (tests/models/seize.pml) For a
 *             sleeper both is done in the same look.
 *   BLOCKING  set by the thread itself around what may block. Since it is there at every entry until
 *             the section ends, no membarrier is needed: sysmon adds TAKEN if BLOCKING is there. Two
 *             atomic steps for each section, in return for a P that goes after 20 us even if nobody
 *             looks at the thread's state. A goroutine with the option `blocking` counts as in a section
 *             whenever it is in user code, but sets no claim: its P is taken like a sleeper's.
 *
 * A section that ends on a bare M needs no P as long as its goroutine stays in user code. So it goes on
 * without, if fewer do so than there are Ps. When 32 goroutines exchanged messages in sections of some
 * microseconds, waiting for a P behind each took 180 us a round trip; like this it takes 9, as by plain
 * threads (bench/run --only W11).
 *
 * A P is taken only if there is something for it to do which no idle P would do. How many hogs may run
 * bare is limited, since each takes CPU from all others. Sleepers take none, and do not count.
 *
 * Rejected: a signal to every hog. It makes system calls fail with EINTR, and a C function must not
 * be left in the middle. (For goroutines that say they may, there is preempt.c.) */
#include "base/thread.h"
#include "runtime/preempt.h"

enum {
    SAMPLE = 100 * ANT_MILLISECOND,      /* so often bare threads are asked whether they are hogs */
    MOST_STATES = 4,                     /* of threads are read in one look, under the lock */
    BLOCKED_LONG = 10 * ANT_MILLISECOND, /* in a section: take the P even if nobody needs it now */
    PATIENCE = 10 * ANT_MILLISECOND,     /* with one that was sent a signal */
};

ant_duration ant__slice = 10 * ANT_MILLISECOND;

/* ---- the thread's side ---- */

/* m's P was taken in a section that ends now. It may go on without one while few others do, until it
 * enters the runtime for something else. So goroutines that wait in one section after the other, for
 * some microseconds each, pay for that once: then they run as plain threads would. */
static bool run_bare(struct ant__m *m)
{
    struct ant__sched *s = &ant__sched;

    m->runs_bare = atomic_fetch_add(&s->run_bare, 1) < ant__load_relaxed(&s->procs);
    if (!m->runs_bare)
        atomic_fetch_sub(&s->run_bare, 1);
    return m->runs_bare;
}

static void stop_running_bare(struct ant__m *m)
{
    if (!m->runs_bare)
        return;
    m->runs_bare = false;
    if (!(ant__load_relaxed(&m->claim) & ANT__CLAIM_STOP)) /* else the count may be another run's */
        atomic_fetch_sub(&ant__sched.run_bare, 1);
}

void ant_blocking_begin(void)
{
    struct ant__m *m = ant__hold();

    if (!m)
        return;
    ant__count(&m->sections, 1);
    stop_running_bare(m);
    atomic_fetch_or(&m->claim, ANT__CLAIM_BLOCKING);
    ant__leave(m);
}

void ant_blocking_end(void)
{
    struct ant__m *m = ant__hold();
    uint32_t claim;
    bool go_on;

    if (!m)
        return;
    claim = atomic_fetch_and(&m->claim, ~(uint32_t)ANT__CLAIM_BLOCKING);
    claim &= ~(uint32_t)(ANT__CLAIM_FENCE | ANT__CLAIM_CHECK);
    go_on = claim == ANT__CLAIM_BLOCKING ||
            (claim == (ANT__CLAIM_BLOCKING | ANT__CLAIM_TAKEN) && run_bare(m));
    ant__leave(m);
    if (!go_on)
        ant__leave(ant__enter());
}

void ant_blocking(void (*fn)(void *), void *arg)
{
    if (!fn)
        ant__fatal("ant_blocking: the function is NULL");
    ant_blocking_begin();
    fn(arg);
    ant_blocking_end();
}

/* m has no P: its goroutine waits for its turn, on this thread. */
static struct ant__m *wait_for_p(struct ant__m *m)
{
    struct ant__g *g = m->g;

    ant__g_set(g, ANT__G_LOCKED);
    g->stack->locked_m = m;
    m->locked_g = g;
    m = ant__requeue(m);
    if (g->stack->lock_depth == 0) {
        ant__g_clear(g, ANT__G_LOCKED);
        m->locked_g = NULL;
    }
    return m;
}

/* m has lost its P. */
static struct ant__m *regain(struct ant__m *m)
{
    stop_running_bare(m);
    ant__lock(&ant__sched.lock);
    m->bare = false;
    ant__sched.bare_ms_n--;
    ant__m_take_idle_p(m);
    ant__unlock(&ant__sched.lock);
    if (!m->p)
        return wait_for_p(m);
    ant__count(&m->p->switches, 1); /* it begins a slice */
    m->p->now = ant__now();
    return m;
}

struct ant__m *ant__meet_seizure(struct ant__m *m)
{
    const uint32_t ours = ANT__CLAIM_YIELD | ANT__CLAIM_BLOCKING | ANT__CLAIM_TAKEN;
    uint32_t claim = atomic_fetch_and(&m->claim, ~ours);

    if (claim & ANT__CLAIM_TAKEN)
        return regain(m);
    if (!(claim & ANT__CLAIM_YIELD))
        return m;
    return ant__m_pass_on(m) ? wait_for_p(m) : m;
}

struct ant__m *ant__enter_interrupted(void)
{
    uint32_t claim = atomic_fetch_and(&ant__m()->claim, ~(uint32_t)ANT__CLAIM_YIELD);
    struct ant__m *m = ant__enter();

    if ((claim & (ANT__CLAIM_YIELD | ANT__CLAIM_TAKEN)) != ANT__CLAIM_YIELD)
        return m;
    m->p->own_first = true;
    return ant__requeue(m);
}

/* ---- hogs ---- */

static void note_cpu(struct ant__m *m, ant_time now)
{
    m->cpu = ant__thread_cpu(ant__load_relaxed(&m->tid));
    m->cpu_at = now;
}

/* Whether m's thread sleeps in a call: not if it used much CPU since it was last asked; otherwise its
 * state tells, which is expensive, and asked of few in one look. */
static bool is_asleep(struct ant__m *m, ant_time now, struct ant__look *look)
{
    ant_duration cpu = m->cpu, window = now - m->cpu_at;

    note_cpu(m, now);
    if (m->cpu - cpu > window / 2 || look->states_read >= MOST_STATES)
        return false;
    look->states_read++;
    return !ant__thread_is_runnable(ant__load_relaxed(&m->tid));
}

/* Whether the bare m is a hog. It is asked every now and then, and counts as what it was until then. */
static bool is_hog(struct ant__m *m, ant_time now, struct ant__look *look)
{
    ant_duration cpu = m->cpu;

    if (now - m->cpu_at < SAMPLE || look->states_read >= MOST_STATES)
        return m->hog;
    note_cpu(m, now);
    m->hog = m->cpu != cpu;
    if (m->hog) {
        look->states_read++;
        m->hog = ant__thread_is_runnable(ant__load_relaxed(&m->tid));
    }
    return m->hog;
}

static bool too_many_hogs(ant_time now, struct ant__look *look)
{
    struct ant__sched *s = &ant__sched;
    int hogs = look->hogs;

    if (s->bare_ms_n + look->hogs < s->config.max_hogs)
        return false;
    for (struct ant__m *m = s->all_ms; m; m = m->next_all)
        hogs += m->bare && is_hog(m, now, look);
    return hogs >= s->config.max_hogs;
}

/* ---- sysmon's side; all under sched.lock ---- */

/* Adds TAKEN to the claims of m, unless it has met `asked` in the meantime. */
static bool take(struct ant__m *m, uint32_t asked)
{
    uint32_t claim = ant__load_relaxed(&m->claim);

    do {
        if (!(claim & asked) || claim & (ANT__CLAIM_TAKEN | ANT__CLAIM_STOP))
            return false;
    } while (!atomic_compare_exchange_weak(&m->claim, &claim, claim | ANT__CLAIM_TAKEN));
    m->bare = true;
    ant__sched.bare_ms_n++;
    return true;
}

static bool others_idle(void)
{
    return ant__load_relaxed(&ant__sched.idle_ps_n) + ant__load_relaxed(&ant__sched.spinning) > 0;
}

/* Idle Ps are no help if there is no thread for them. */
static bool no_thread_is_left(void)
{
    const struct ant__sched *s = &ant__sched;

    return ant__load_relaxed(&s->told_no_thread) && !s->idle_ms &&
           ant__load_relaxed(&s->spinning) == 0;
}

/* Would another M have something to do with p, now, or m itself with another goroutine? */
static bool is_wanted(ant_time now)
{
    return (!others_idle() || no_thread_is_left()) &&
           (ant__work_waits() || ant__timers_next() <= now);
}

/* Notes what p does. True: still the same as at the last look, which is to say that its goroutine
 * was not left since p->watched.since. */
static bool stands_still(struct ant__p *p, ant_time now)
{
    uint64_t switches = ant__load_relaxed(&p->switches);

    if (switches != p->watched.switches) {
        p->watched.switches = switches;
        p->watched.since = now;
        return false;
    }
    return true;
}

/* The blocking section that m is in: whether sysmon saw the same one before. */
static bool still_blocking(struct ant__p *p, struct ant__m *m, ant_time now)
{
    uint32_t sections = ant__load_relaxed(&m->sections);

    if (sections != p->watched.sections || m != p->watched.m) {
        p->watched.m = m;
        p->watched.sections = sections;
        p->watched.blocking_since = now;
        return false;
    }
    return true;
}

static bool may_stay_blocking(struct ant__p *p, ant_time now)
{
    return ant__runq_empty(&p->runq) && others_idle() &&
           now - p->watched.blocking_since < BLOCKED_LONG;
}

/* Takes back a request that was met by the goroutine's leaving. */
static void unask(struct ant__m *m)
{
    if (ant__load_relaxed(&m->claim) & ANT__CLAIM_YIELD)
        atomic_fetch_and(&m->claim, ~(uint32_t)ANT__CLAIM_YIELD);
}

enum verdict { LEAVE, ASKED, TAKE_AFTER_BARRIER, TAKEN };

/* m's goroutine was created with the option `blocking`. */
static bool may_block(const struct ant__m *m)
{
    const struct ant__g *g = ant__m_runs(m);

    return g && ant__g_is(g, ANT__G_BLOCKING);
}

/* m's goroutine sits in a call that nobody announced, since the last look at least; or it has said
 * that it may. */
static enum verdict judge_sleeper(struct ant__m *m)
{
    m->hog = false;
    atomic_fetch_or(&m->claim, ANT__CLAIM_YIELD);
    return TAKE_AFTER_BARRIER;
}

static enum verdict judge_hog(struct ant__p *p, struct ant__m *m, ant_time now,
                              struct ant__look *look)
{
    bool signalled;

    if (now - p->watched.since < ant__slice)
        return LEAVE;
    m->hog = true;
    if (!(ant__load_relaxed(&m->claim) & ANT__CLAIM_YIELD)) {
        atomic_fetch_or(&m->claim, ANT__CLAIM_YIELD);
        ant__preempt_ask(m);
        return ASKED;
    }
    signalled = ant__preempt_ask(m); /* again: it may have come at a bad moment */
    if (signalled && now - p->watched.since < ant__slice + PATIENCE)
        return LEAVE;
    if (ant__load_acquire(&m->user) != ANT__IN_USER_CODE)
        return ASKED;
    if (others_idle())
        return LEAVE; /* nobody would run with one P more */
    if (too_many_hogs(now, look))
        return LEAVE;
    look->hogs++;
    return TAKE_AFTER_BARRIER;
}

static enum verdict judge_user_code(struct ant__p *p, struct ant__m *m, ant_time now,
                                    struct ant__look *look)
{
    uint32_t user = ant__load_acquire(&m->user);

    if (user == ANT__ASLEEP || !is_wanted(now))
        return LEAVE;
    if (user == ANT__IN_USER_CODE && !others_idle() && (may_block(m) || is_asleep(m, now, look)))
        return judge_sleeper(m);
    return judge_hog(p, m, now, look);
}

static enum verdict judge(struct ant__p *p, ant_time now, struct ant__look *look)
{
    struct ant__m *m = p->m;
    bool still = stands_still(p, now), same_section = false;

    if (!m)
        return LEAVE;
    if (ant__load_relaxed(&m->claim) & ANT__CLAIM_BLOCKING) {
        same_section = still_blocking(p, m, now);
        look->blocking = true;
        look->new_section |= !same_section;
    } else if (may_block(m)) {
        look->blocking = true;
        look->new_section |= !still;
    }
    if (!still) {
        unask(m);
        return LEAVE;
    }
    if (!same_section) /* short ones, one after the other, may be a hog all the same */
        return judge_user_code(p, m, now, look);
    if (may_stay_blocking(p, now))
        return LEAVE;
    m->hog = false;
    return take(m, ANT__CLAIM_BLOCKING) ? TAKEN : LEAVE;
}

/* After the barrier, one that is still in user code cannot enter without meeting us. */
static struct ant__p *take_after_barrier(struct ant__p *from, struct ant__p *taken,
                                         struct ant__look *look)
{
    struct ant__p *p;

    ant__barrier_all();
    while ((p = from)) {
        struct ant__m *m = p->m;

        from = p->next_idle;
        if (ant__load_acquire(&m->user) == ANT__IN_USER_CODE &&
            ant__load_relaxed(&p->switches) == p->watched.switches && take(m, ANT__CLAIM_YIELD)) {
            look->crowd |= !m->hog;
            p->next_idle = taken;
            taken = p;
        } else if (!m->hog) {
            unask(m); /* it has just woken up */
        }
    }
    return taken;
}

/* Returns the Ps taken, linked by next_idle, which is free while a P is held. The next look begins with
 * another P, as not all threads may be asked for their states in one. */
static struct ant__p *look_at_all(ant_time now, struct ant__look *look)
{
    static int first;
    struct ant__p *asked = NULL, *taken = NULL;
    int n = ant__load_acquire(&ant__sched.all_ps_n);

    if (ant__load_relaxed(&ant__sched.life) != ANT__RUNNING)
        return NULL; /* Ms end, and are freed, with their Ps */
    for (int i = 0; i < n; i++) {
        struct ant__p *p = ant__p_at((first + i) % n);
        enum verdict verdict = p->use == ANT__P_HELD ? judge(p, now, look) : LEAVE;
        struct ant__p **list = verdict == TAKEN                ? &taken
                               : verdict == TAKE_AFTER_BARRIER ? &asked
                                                               : NULL;

        look->acted |= verdict != LEAVE;
        if (list) {
            p->next_idle = *list;
            *list = p;
        }
    }
    first = (first + 1) % n;
    return asked ? take_after_barrier(asked, taken, look) : taken;
}

struct ant__look ant__ps_look(ant_time now)
{
    struct ant__look look = {0};
    struct ant__p *taken, *p;

    ant__lock(&ant__sched.lock);
    taken = look_at_all(now, &look);
    for (p = taken; p; p = p->next_idle) {
        p->timers_first = !p->m->hog;
        p->m = NULL;
    }
    ant__unlock(&ant__sched.lock);
    while ((p = taken)) {
        taken = p->next_idle;
        ant__p_hand_off(p);
    }
    return look;
}
