/* idle.c - threads that have nothing to do: their list, their sleep, naps, the keeper of timers.
 *
 * An idle M lies on sched.idle_ms, the one that slept last on top, and waits on its note. Whoever
 * takes it off the list (under sched.lock) gives it a P in next_p, or none, which means: look
 * again; then posts the note. So a note is posted at most once between two waits, and is cleared by
 * its owner as soon as it was seen.
 *
 * The keeper. Of the idle Ms one sleeps with a deadline: until the first timer of all Ps. Its
 * deadline is sched.keeper_until. An M that goes to sleep and knows of an earlier timer becomes
 * keeper in its stead. Who arms a timer that is the first of its P stores it, and behind a fence
 * reads keeper_until; the keeper stores keeper_until, and behind a fence reads the timers of all Ps
 * again: one of the two sees the other (tests/models/timekeeper.pml). If no P is idle nobody need
 * watch: a busy P serves its own timers, and the M that lets the next P go looks at all timers
 * before it sleeps.
 *
 * Retiring. Idle Ms beyond one for each P were made for a crowd of calls that block. Those wait with a
 * deadline, and end when nobody has needed them for some seconds. A crowd that comes back before finds them:
 * since the last one to sleep is the first to be woken, only those that it does not need grow old.
 */
#include "runtime/netpoll.h"

enum {
    TRIM_AFTER = ANT_SECOND, /* of idleness */
    TRIM_PIECE = ANT_MILLISECOND,
};

ant_duration ant__retire_after = 5 * ANT_SECOND;

/* ---- the list, under sched.lock ---- */

static void resign(struct ant__m *m)
{
    if (ant__sched.keeper != m)
        return;
    ant__sched.keeper = NULL;
    ant__store_relaxed(&ant__sched.keeper_until, ANT__NEVER);
}

static void list_idle(struct ant__m *m)
{
    m->idle = true;
    m->next_p = NULL;
    m->next_idle = ant__sched.idle_ms;
    ant__sched.idle_ms = m;
    ant__sched.idle_ms_n++;
}

void ant__ms_unlist_idle(struct ant__m *m)
{
    struct ant__m **link = &ant__sched.idle_ms;

    while (*link != m)
        link = &(*link)->next_idle;
    *link = m->next_idle;
    m->idle = false;
    ant__sched.idle_ms_n--;
    resign(m);
}

static bool is_on_watch(struct ant__m *m)
{
    return m == ant__sched.keeper || ant__poll_has_sleeper(m);
}

/* The one that slept last; one that looks after timers or descriptors only if there is no other. */
struct ant__m *ant__ms_take_idle(bool *ret_was_keeper)
{
    struct ant__m *m = ant__sched.idle_ms;

    while (m && is_on_watch(m) && m->next_idle)
        m = m->next_idle;
    *ret_was_keeper = m && m == ant__sched.keeper;
    if (m)
        ant__ms_unlist_idle(m);
    return m;
}

/* ---- waiting and waking ---- */

bool ant__m_wait(struct ant__m *m, ant_time deadline)
{
    bool posted;

    ant__rest(m);
    posted = ant__note_wait(&m->note, deadline);
    ant__unrest(m);
    return posted;
}

static void post(void *arg)
{
    struct ant__m *m = arg;

    atomic_store(&m->note.posted, 1);
    if (!ant__poll_break(m))
        ant__futex_wake(&m->note.posted, 1);
}

void ant__m_post(struct ant__m *m)
{
    ant__with_room_for(ANT__ROOM_TO_WAKE, post, m);
}

/* ---- the keeper of timers ---- */

void ant__timer_armed(ant_time when)
{
    struct ant__sched *s = &ant__sched;

    ant__fence(); /* between storing the timer and reading keeper_until */
    if (when < ant__load_relaxed(&s->nap_until))
        ant__rouse();
    if (ant__load_relaxed(&s->idle_ps_n) > 0 && when < ant__load_relaxed(&s->keeper_until))
        ant__keeper_renew();
}

void ant__keeper_renew(void)
{
    struct ant__sched *s = &ant__sched;
    struct ant__m *keeper;

    ant__lock(&s->lock);
    keeper = s->keeper;
    if (keeper)
        ant__ms_unlist_idle(keeper);
    ant__unlock(&s->lock);
    if (keeper)
        ant__m_post(keeper);
    else
        ant__wake_one(); /* it will find nothing, and become keeper before it sleeps */
}

/* ---- sleeping ---- */

/* How an M sleeps. */
struct sleep {
    ant_time until;
    ant_time retire_at; /* ANT__NEVER: it is not one too many */
    bool watch;         /* it may look after timers and descriptors */
    bool keeper;
    bool last; /* all others sleep already */
    struct ant__polled polled;
};

/* Puts m on the idle list, as keeper if it knows of an earlier timer than the present one. */
static void lie_down(struct ant__m *m, struct sleep *sleep)
{
    struct ant__sched *s = &ant__sched;
    ant_time first = sleep->watch ? ant__timers_next() : ANT__NEVER;

    list_idle(m);
    sleep->last = s->idle_ms_n + s->stuck_ms_n == s->ms;
    sleep->polled.n = 0;
    sleep->keeper = first < ant__load_relaxed(&s->keeper_until);
    sleep->until = sleep->keeper ? first : ANT__NEVER;
    sleep->retire_at = !sleep->keeper && s->idle_ms_n > ant__load_relaxed(&s->procs)
                           ? ant__time_add(ant__now(), ant__retire_after)
                           : ANT__NEVER;
    if (sleep->keeper) {
        s->keeper = m;
        ant__store_relaxed(&s->keeper_until, first);
    }
    if (sleep->until == ANT__NEVER)
        ant__ms_check_deadlock();
}

/* The deadline came. With a P the scheduler serves the timers; if there is none, all Ps are busy
 * and serve them themselves. False: somebody has taken m off the list meanwhile. */
static bool get_up(struct ant__m *m)
{
    ant__lock(&ant__sched.lock);
    if (!m->idle) {
        ant__unlock(&ant__sched.lock);
        return false;
    }
    ant__ms_unlist_idle(m);
    ant__m_take_idle_p(m);
    ant__unlock(&ant__sched.lock);
    if (m->p) {
        m->spinning = true;
        atomic_fetch_add(&ant__sched.spinning, 1);
    }
    return true;
}

/* For its note too, but in the poller if nobody else is there, until then or, if somebody is, until
 * `alone`. Comes back early if the poller found something. */
static bool wait_polling(struct ant__m *m, ant_time deadline, ant_time alone,
                         struct ant__polled *polled)
{
    bool slept, posted = false;

    do {
        ant__rest(m);
        slept = ant__poll_sleep(m, polled, deadline);
        ant__unrest(m);
        posted = slept ? ant__load_acquire(&m->note.posted) : ant__m_wait(m, alone);
    } while (slept && !posted && polled->n == 0 && ant__now() < deadline);
    return posted;
}

/* What was polled is done by an M that is on no idle list: else there would be a moment in which
 * somebody is neither waiting nor runnable, and all looks like a deadlock. */
static void ready_polled(struct ant__m *m, const struct ant__polled *polled)
{
    struct ant__glist list = {0};

    if (polled->n == 0)
        return;
    ant__poll_dispatch(polled, m->p, &list);
    ant__ready_list(m->p, &list);
}

/* ---- napping ----
 *
 * Who naps says so in sched.napper, and until when, and behind a fence looks at the queues and the
 * timers once more; who queues something, or arms a timer, looks behind a fence at these two. Whoever
 * takes the napper out of there posts its note. (tests/models/nap.pml) */

void ant__rouse(void)
{
    struct ant__m *m = atomic_exchange(&ant__sched.napper, NULL);

    if (m)
        ant__m_post(m);
}

/* It only grows: one that was roused before it came here must not shorten what the next one says. */
static void say_until(ant_time until)
{
    int64_t said = ant__load_relaxed(&ant__sched.nap_until);

    while (said < until && !atomic_compare_exchange_weak(&ant__sched.nap_until, &said, until)) {
    }
}

bool ant__m_nap(struct ant__m *m, ant_time until, bool polling)
{
    struct ant__sched *s = &ant__sched;
    struct ant__m *none = NULL, *self = m;
    struct ant__polled polled;
    ant_time first;

    if (!atomic_compare_exchange_strong(&s->napper, &none, m))
        return true;
    say_until(until);
    ant__fence();
    first = ant__timers_next();
    if (first < until)
        until = first;
    polled.n = 0;
    if (!ant__work_queues())
        (void)(polling ? wait_polling(m, until, until, &polled) : ant__m_wait(m, until));
    ready_polled(m, &polled);
    if (atomic_compare_exchange_strong(&s->napper, &self, NULL))
        return true;
    ant__m_wait(m, ANT__NEVER); /* somebody is about to post it */
    ant__note_clear(&m->note);
    return false;
}

_Atomic(bool (*)(bool only_look)) ant__trim_others;

/* A goroutine, since functions of the user's are called, which may take their time, and may block. */
static void trim_others(void *arg)
{
    bool (*trim_one)(bool) = ant__load_acquire(&ant__trim_others);
    struct ant__g *g = ant__self();

    g->stack->name = "anthill: trim caches";
    ant__g_set(g, ANT__G_BLOCKING);
    while (trim_one(false))
        ant_yield(); /* if there is work again it must not wait */
}

/* False: nothing is left for this thread to do. */
static bool trim(struct ant__m *m, ant_time until)
{
    bool (*others_left)(bool) = ant__load_acquire(&ant__trim_others);
    bool more;

    ant__rest(m);
    more = ant__stacks_trim(&m->note, until);
    ant__unrest(m);
    if (!more && others_left && others_left(true))
        ant__go(NULL, trim_others, NULL, 0, NULL); /* if there is no memory, another time */
    return more;
}

static bool all_idle(void)
{
    bool idle;

    ant__lock(&ant__sched.lock);
    idle = ant__sched.idle_ms_n + ant__sched.stuck_ms_n == ant__sched.ms;
    ant__unlock(&ant__sched.lock);
    return idle;
}

/* Whoever can polls meanwhile, unless a napper does. */
static bool wait_asleep(struct ant__m *m, struct sleep *sleep, ant_time until)
{
    ant_time alone = until < sleep->retire_at ? until : sleep->retire_at;

    if (sleep->watch && !ant__load_relaxed(&ant__sched.napper))
        return wait_polling(m, until, alone, &sleep->polled);
    return ant__m_wait(m, alone);
}

/* The last one to fall asleep gives memory back after a while, if all still are: piece by piece, and
 * in between looks for events. */
static bool wait_idle(struct ant__m *m, struct sleep *sleep)
{
    ant_time at;

    if (!sleep->last || !(ant__load_relaxed(&ant__trim_others) || ant__stacks_trimmable()))
        return wait_asleep(m, sleep, sleep->until);
    at = ant__now() + TRIM_AFTER;
    while (at < sleep->until) {
        if (wait_asleep(m, sleep, at) || sleep->polled.n > 0)
            return ant__load_acquire(&m->note.posted);
        at = ant__now();
        if (!all_idle() || !trim(m, ant__time_add(at, TRIM_PIECE)))
            break;
    }
    return wait_asleep(m, sleep, sleep->until);
}

/* m woke up by itself. True: it is one too many and has slept for long, so it is to end. */
static bool retire(struct ant__m *m, const struct sleep *sleep)
{
    if (sleep->polled.n > 0 || ant__now() < sleep->retire_at)
        return false;
    ant__lock(&ant__sched.lock);
    m->ended = m->idle && ant__sched.idle_ms_n > ant__load_relaxed(&ant__sched.procs);
    if (m->ended)
        ant__ms_unlist_idle(m);
    ant__unlock(&ant__sched.lock);
    return m->ended;
}

void ant__m_sleep(struct ant__m *m)
{
    struct sleep sleep = {.watch = true};

    while (!m->p && !m->ended && !(ant__load_acquire(&m->claim) & ANT__CLAIM_STOP)) {
        bool posted;

        ant__lock(&ant__sched.lock);
        /* Where a thread could not be made, who tried may have kept others from waking us. */
        if (ant__sched.global.n > 0 ||
            (ant__load_relaxed(&ant__sched.told_no_thread) && ant__work_waits()))
            ant__m_take_idle_p(m);
        if (m->p || ant__load_relaxed(&ant__sched.life) != ANT__RUNNING) {
            ant__unlock(&ant__sched.lock);
            return;
        }
        lie_down(m, &sleep);
        ant__unlock(&ant__sched.lock);
        ant__fence(); /* between storing keeper_until and reading the timers again */
        if (sleep.keeper && ant__timers_next() < sleep.until && get_up(m))
            continue;
        posted = wait_idle(m, &sleep);
        if (!posted && retire(m, &sleep))
            return;
        if (!posted && get_up(m)) {
            sleep.watch = m->p != NULL;
        } else {
            ant__m_wait(m, ANT__NEVER);
            ant__note_clear(&m->note);
            m->p = m->next_p;
            m->next_p = NULL; /* else m might take it for its own again when it is woken to stop */
            sleep.watch = true;
        }
        if (m->p) /* the clock of a P stands still while nobody has it */
            m->p->now = ant__now();
        ready_polled(m, &sleep.polled);
    }
}
