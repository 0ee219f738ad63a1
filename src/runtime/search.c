/* search.c - an M without a goroutine looks for one: its P's timers and queue, the global queue,
 * descriptors, the queues of others; and if there is nothing naps, gives its P back, and sleeps.
 *
 * Napping. Two goroutines that hand something to one another on one P make a single one runnable,
 * again and again, which the P itself runs in the next moment. A thread woken for it comes too
 * late, and finds nothing; and waking it costs as much as a hundred such hand-overs. So a spinner
 * that has found nothing while other Ps are busy does not go to sleep at once: it naps, for 50 us
 * at first and then longer, up to 1 ms, with its P, and still counts as spinning, so that nobody
 * wakes anybody for the sake of a runnext. But who queues a goroutine behind another one, which is
 * work for a second P, rouses the napper. After some 10 ms in vain it sleeps in earnest, by the
 * rules in sched.c. A nap is thus no more than a slow search: nothing can be lost by it, only be late by
 * a nap.
 *
 * The same for descriptors. Were the second thread asleep in epoll_wait, the kernel would wake it for
 * every message that two goroutines send one another, though the P on which they run polls in the
 * next moment. So for as long as others poll it naps on its note, and looks every millisecond whether
 * they still do. If they do not, as they have enough to do, it naps, and then sleeps, in epoll_wait.
 */
#include "runtime/netpoll.h"

enum {
    GRACE = 64, /* pauses */
    NAP_FIRST = 50 * ANT_MICROSECOND,
    NAP_LONGEST = ANT_MILLISECOND,
    NAPS = 14,
    POLLED_LATELY = 50 * ANT_MICROSECOND,
    SHORT = 100 * ANT_MICROSECOND, /* is what a goroutine runs, on average */
};

void ant__stop_spinning(struct ant__m *m)
{
    m->spinning = false;
    atomic_fetch_sub(&ant__sched.spinning, 1);
}

/* No thread could be made: then there may be Ps without one, and nobody else who serves their
 * timers. */
bool ant__timers_unwatched(void)
{
    return ant__load_relaxed(&ant__sched.told_no_thread) && ant__timers_next() <= ant__now();
}

static void serve_timers(struct ant__p *p, struct ant__wheel *w, ant_time now)
{
    struct ant__glist due = {0};

    ant__wheel_run(w, now, p, &due);
    if (p->timers_first && due.head)
        ant__run_next(p, ant__glist_pop(&due));
    p->timers_first = false;
    ant__ready_list(p, &due);
}

static bool timers_pending(struct ant__p *p)
{
    return ant__load_relaxed(&p->wheel.next) != ANT__NEVER;
}

/* Before we take away what a running P is about to run next, a moment's grace: most often its
 * goroutine is just about to park, and the two may go on handing something to one another. So we
 * look whether the P comes to switch meanwhile. In between we keep off its cache lines. */
static bool stands_still(struct ant__p *v)
{
    uint64_t before;

    if (!ant__load_relaxed(&v->runq.next))
        return false;
    before = ant__load_relaxed(&v->switches);
    for (int i = 0; i < GRACE; i++)
        ant__pause();
    return ant__load_relaxed(&v->switches) == before;
}

static struct ant__g *steal_from(struct ant__p *p, int victim, ant_time now, bool last_round)
{
    struct ant__p *v = ant__p_at(victim);
    struct ant__g *g;
    int n;

    if (now >= ant__load_relaxed(&v->wheel.next)) {
        serve_timers(p, &v->wheel, now);
        g = ant__runq_get(&p->runq);
        if (g)
            return g;
    }
    if (v == p || ant__p_is_idle(victim))
        return NULL;
    g = ant__runq_steal(&p->runq, &v->runq, last_round && stands_still(v), &n);
    if (g) {
        ant__count(&p->steals, 1);
        ant__count(&p->stolen, (uint64_t)n);
    }
    return g;
}

static struct ant__g *steal(struct ant__m *m)
{
    struct ant__p *p = m->p;
    ant_time now = ant__timers_next() == ANT__NEVER ? 0 : ant__now();

    for (int round = 0; round < ANT__STEAL_ROUNDS; round++) {
        uint32_t n = (uint32_t)ant__load_acquire(&ant__sched.all_ps_n);
        struct ant__tour tour;
        int victim;

        ant__tour_start(&tour, n, ant__random_next(&p->random));
        while (ant__tour_next(&tour, &victim)) {
            struct ant__g *g = steal_from(p, victim, now, round == ANT__STEAL_ROUNDS - 1);

            if (g)
                return g;
            if (ant__m_claimed(m))
                return NULL;
        }
    }
    return NULL;
}

/* Spinning is for at most half of the busy Ps: more would only burn CPU. */
static bool may_spin(struct ant__m *m)
{
    int busy;

    if (m->spinning)
        return true;
    busy = ant__load_relaxed(&ant__sched.procs) - ant__load_relaxed(&ant__sched.idle_ps_n);
    if (2 * ant__load_relaxed(&ant__sched.spinning) >= busy)
        return false;
    m->spinning = true;
    atomic_fetch_add(&ant__sched.spinning, 1);
    return true;
}

/* The goroutine that g0 is about to choose counts against the budget too: else goroutines that
 * always come by way of g0, as those tied to threads do, would never use it up. */
static bool budget_used_up(struct ant__p *p)
{
    return p->budget < 0 || --p->budget < 0;
}

static void serve_all_timers(struct ant__p *p)
{
    p->now = ant__now();
    for (int i = 0; i < ant__load_acquire(&ant__sched.all_ps_n); i++)
        serve_timers(p, &ant__p_at(i)->wheel, p->now);
}

/* Looks for descriptors that are ready. The first of those who waited for one is returned, the
 * others are queued: a single one, which this P runs at once, is no reason to wake anybody. */
static struct ant__g *poll(struct ant__p *p)
{
    struct ant__glist found = {0};
    struct ant__g *first;

    ant__poll_quick(p, &found);
    first = ant__glist_pop(&found);
    ant__ready_list(p, &found);
    return first;
}

static void poll_for_later(struct ant__p *p)
{
    struct ant__glist found = {0};

    ant__poll_quick(p, &found);
    ant__ready_list(p, &found);
}

/* How long those in the global queue wait from now on: one in four may be theirs if all are as short
 * as those since the last time, else they could be goroutines that need all of their slices. */
static int until_global(struct ant__p *p)
{
    uint64_t n = ant__load_relaxed(&p->switches) - p->global_switches;
    bool all_short = p->now - p->global_at < (ant_duration)n * SHORT;

    p->global_switches += n;
    p->global_at = p->now;
    return all_short ? ANT__GLOBAL_EVERY_SHORT : ANT__GLOBAL_EVERY;
}

/* What the P itself, and the global queue, have. */
static struct ant__g *look_here(struct ant__p *p)
{
    struct ant__g *g;
    bool others_first;

    if (budget_used_up(p))
        ant__look_around(p);
    else if (timers_pending(p))
        p->now = ant__now();
    if (timers_pending(p))
        serve_timers(p, &p->wheel, p->now);
    if (ant__unlikely(ant__poll_is_wanted(p)))
        poll_for_later(p);
    if (ant__unlikely(ant__timers_unwatched()))
        serve_all_timers(p);
    if (p->until_global <= 0) {
        p->until_global = until_global(p);
        g = ant__global_take(p, false);
        if (g) {
            p->poll_after++; /* makes no room in the ring */
            return g;
        }
    }
    /* With one goroutine left here, which may be one that only yields, the others come first. */
    others_first =
        !p->own_first && ant__runq_len(&p->runq) <= 1 && !ant__load_relaxed(&p->runq.next);
    p->own_first = false;
    if (others_first && (g = ant__global_take(p, true)))
        return g;
    g = ant__runq_get(&p->runq);
    return g ? g : ant__global_take(p, true);
}

/* Between two naps only if the others did not for a while. */
static bool may_poll(const struct ant__m *m)
{
    return ant__poll_is_open() && (m->naps == 0 || ant__poll_is_due(ant__now(), ANT__POLL_EVERY));
}

static bool others_poll(const struct ant__m *m, ant_time now)
{
    return ant__poll_is_open() && ant__poll_by_others(m->p, now - POLLED_LATELY);
}

/* A futile search is over: whether to nap before the next one. */
static bool may_nap(struct ant__m *m)
{
    struct ant__sched *s = &ant__sched;

    return m->spinning && (m->naps < NAPS || others_poll(m, ant__now())) &&
           !ant__load_relaxed(&s->napper) && /* one is enough */
           ant__load_relaxed(&s->procs) - ant__load_relaxed(&s->idle_ps_n) >
               ant__load_relaxed(&s->spinning); /* else the others only search, as we do */
}

static void nap(struct ant__m *m)
{
    ant_duration d = m->naps < 5 ? (ant_duration)NAP_FIRST << m->naps : NAP_LONGEST;
    ant_time now = ant__now();

    if (!ant__m_nap(m, now + d, !others_poll(m, now)))
        m->naps = 0;
    else if (m->naps < NAPS)
        m->naps++;
}

/* Gives m's P back unless there is something in the global queue, which is looked at under
 * the same lock. */
static bool release_p(struct ant__m *m)
{
    struct ant__sched *s = &ant__sched;
    bool released;

    ant__lock(&s->lock);
    released = s->global.n == 0 && m->p->id < ant__load_relaxed(&s->procs);
    if (released) {
        m->p->unwatched = false; /* we look at all timers before we sleep */
        ant__p_idle_put(m->p);
        m->p = NULL;
    }
    ant__unlock(&s->lock);
    return released;
}

static bool regain_p(struct ant__m *m)
{
    ant__lock(&ant__sched.lock);
    ant__m_take_idle_p(m);
    ant__unlock(&ant__sched.lock);
    if (!m->p)
        return false; /* who took the Ps will look, before they sleep, as we did */
    m->spinning = true;
    atomic_fetch_add(&ant__sched.spinning, 1);
    return true;
}

/* The number of Ps was lowered, and m's P is one too many: m takes an idle one in its place. */
static void leave_surplus_p(struct ant__m *m)
{
    if (!ant__p_retire(m->p))
        return; /* the number was raised again, so m keeps its P */
    m->p = NULL;
    if (m->spinning)
        ant__stop_spinning(m);
    regain_p(m);
}

/* Returns a goroutine to run, with a P; NULL only if there is a claim to be met, or m is to end. */
struct ant__g *ant__find_work(struct ant__m *m)
{
    while (!ant__m_claimed(m)) {
        struct ant__g *g = NULL;

        if (ant__unlikely(!m->p)) {
            ant__m_sleep(m);
            if (m->ended)
                return NULL;
            continue;
        }
        if (ant__unlikely(m->p->id >= ant__load_relaxed(&ant__sched.procs))) {
            leave_surplus_p(m);
            continue;
        }
        g = look_here(m->p);
        if (!g && may_poll(m))
            g = poll(m->p);
        if (!g && may_spin(m))
            g = steal(m);
        if (g) {
            m->naps = 0;
            return g;
        }
        if (may_nap(m)) {
            nap(m);
            continue;
        }
        m->naps = 0;
        if (!release_p(m))
            continue;
        if (m->spinning)
            ant__stop_spinning(m);
        ant__fence(); /* between giving up and looking once more */
        if (ant__work_waits() && regain_p(m))
            continue;
        ant__m_sleep(m);
    }
    return NULL;
}
