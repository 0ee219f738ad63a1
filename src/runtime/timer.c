/* timer.c - the timers of a P: a wheel of wheels.
 *
 * Time is cut into ticks of 16 us. Level 0 has a slot for each of the next 1024 ticks (16 ms), so
 * that the sleeps of a busy server are put into their slot once and fire from there. A slot of
 * level l > 0 spans all of level l-1; when its time comes, its timers are put into the levels
 * below. Arming, disarming and firing cost the same whether there are ten timers or a million, and
 * need no memory. A timer never fires early, and up to a tick late.
 *
 * `now` is the last tick that was served. Every pending timer has tick > now, and lies in
 *   level 0, slot tick mod 1024,              if tick - now < 1024
 *   level l, slot (tick >> shift(l)) mod 64,  if that many steps of the level ahead are < 64
 * The slot of level l > 0 with number s is emptied when now reaches s << shift(l), which is before
 * or at the tick of all its timers.
 *
 * `next`, in ns, is a lower bound for the first timer due: what others may read without the lock.
 *
 * A timer fires in the scheduler: it makes goroutines runnable, nothing else. It is not touched
 * after the wheel's lock is released, so that its owner may free it once disarm has returned.
 *
 * Rejected: a heap as in Go. With 50,000 sleepers each removal walks eight levels.
 */
#include <errno.h>
#include <string.h>

#include "runtime/runtime.h"

enum { SLOTS = 1 << ANT__WHEEL_BITS, SCOUT_AHEAD = 4 };

#define FARTHEST ((uint64_t)1 << (ANT__WHEEL_L0_BITS + ANT__WHEEL_LEVELS * ANT__WHEEL_BITS - 1))

static int shift_of(int level)
{
    return ANT__WHEEL_L0_BITS + level * ANT__WHEEL_BITS;
}

static uint64_t tick_after(ant_time when)
{
    return ((uint64_t)when + (1u << ANT__WHEEL_TICK_BITS) - 1) >> ANT__WHEEL_TICK_BITS;
}

static uint64_t tick_of(ant_time when)
{
    return tick_after(when < 0 ? 0 : when > ANT__NEVER / 2 ? ANT__NEVER / 2 : when);
}

static ant_time time_of(uint64_t tick)
{
    return tick >= (uint64_t)ANT__NEVER >> ANT__WHEEL_TICK_BITS
               ? ANT__NEVER
               : (ant_time)(tick << ANT__WHEEL_TICK_BITS);
}

void ant__wheel_init(struct ant__wheel *w, ant_time now)
{
    memset(w, 0, sizeof *w);
    w->now = (uint64_t)now >> ANT__WHEEL_TICK_BITS;
    ant__store_relaxed(&w->next, ANT__NEVER);
}

/* ---- slots ---- */

static void link_in(struct ant__timer **slot, struct ant__timer *t)
{
    t->next = *slot;
    t->link = slot;
    if (t->next)
        t->next->link = &t->next;
    *slot = t;
}

static void place(struct ant__wheel *w, struct ant__timer *t)
{
    uint64_t tick = t->tick > w->now ? t->tick : w->now + 1;

    /* What is placed one after the other often lies in one slot, the last one first. */
    t->ahead = w->recent[w->placed % ANT__WHEEL_RECENT];
    w->recent[w->placed++ % ANT__WHEEL_RECENT] = t;
    if (tick - w->now < ANT__WHEEL_L0) {
        unsigned s = tick & (ANT__WHEEL_L0 - 1);

        w->l0_used[s / 64] |= (uint64_t)1 << s % 64;
        link_in(&w->l0[s], t);
        w->firsts[s][w->placed % ANT__WHEEL_RECENT] = t;
        return;
    }
    if (tick - w->now > FARTHEST)
        tick = w->now + FARTHEST; /* comes down the levels and is placed again by its own tick */
    for (int level = 0; level < ANT__WHEEL_LEVELS; level++) {
        if ((tick >> shift_of(level)) - (w->now >> shift_of(level)) < SLOTS) {
            unsigned s = (tick >> shift_of(level)) & (SLOTS - 1);

            w->used[level] |= (uint64_t)1 << s;
            link_in(&w->slots[level][s], t);
            return;
        }
    }
    __builtin_unreachable();
}

static void unlink_timer(struct ant__timer *t)
{
    *t->link = t->next;
    if (t->next)
        t->next->link = t->link;
}

/* The bit of a slot that was emptied by unlinking stays set, and is cleared when it is passed. */

static uint64_t rotate_right(uint64_t x, unsigned n)
{
    return x >> (n & 63) | x << (-n & 63);
}

static uint64_t next_in_l0(const struct ant__wheel *w)
{
    unsigned from = (w->now + 1) & (ANT__WHEEL_L0 - 1);
    unsigned words = ANT__WHEEL_L0 / 64;

    for (unsigned i = 0; i <= words; i++) {
        unsigned word = (from / 64 + i) % words;
        uint64_t bits = w->l0_used[word];

        if (i == 0)
            bits &= ~(uint64_t)0 << from % 64;
        if (i == words)
            bits &= ((uint64_t)1 << from % 64) - 1;
        if (bits) {
            unsigned s = word * 64 + (unsigned)__builtin_ctzll(bits);

            return w->now + 1 + ((s - from) & (ANT__WHEEL_L0 - 1));
        }
    }
    return UINT64_MAX;
}

/* The next tick at which there is something to do: fire a slot of level 0 or empty a higher one. */
static uint64_t next_event(const struct ant__wheel *w)
{
    uint64_t first = next_in_l0(w);

    for (int level = 0; level < ANT__WHEEL_LEVELS; level++) {
        uint64_t here = w->now >> shift_of(level);
        uint64_t ahead;

        if (!w->used[level])
            continue;
        ahead = rotate_right(w->used[level], (unsigned)(here + 1) & (SLOTS - 1));
        ahead = (here + 1 + (uint64_t)__builtin_ctzll(ahead)) << shift_of(level);
        if (ahead < first)
            first = ahead;
    }
    return first;
}

/* The first ones of a slot have nobody before them to hint at them, see fire_slot: they are fetched a
 * slot earlier. */
static ant__always_inline void fetch_firsts(const struct ant__wheel *w, uint64_t tick)
{
    for (int i = 0; i < ANT__WHEEL_RECENT; i++)
        ant__prefetch(w->firsts[tick & (ANT__WHEEL_L0 - 1)][i]);
}

static void publish_next(struct ant__wheel *w)
{
    uint64_t tick = w->count ? next_event(w) : UINT64_MAX;

    ant__store_relaxed(&w->next, tick == UINT64_MAX ? ANT__NEVER : time_of(tick));
    if (tick - w->now < ANT__WHEEL_L0)
        fetch_firsts(w, tick);
}

/* ---- firing ---- */

static void cascade(struct ant__wheel *w)
{
    for (int level = ANT__WHEEL_LEVELS - 1; level >= 0; level--) {
        unsigned s = (w->now >> shift_of(level)) & (SLOTS - 1);
        struct ant__timer *t;

        if (w->now & (((uint64_t)1 << shift_of(level)) - 1))
            continue; /* not at a border of this level */
        t = w->slots[level][s];
        w->slots[level][s] = NULL;
        w->used[level] &= ~((uint64_t)1 << s);
        while (t) {
            struct ant__timer *next = t->next;

            if (t->tick <= w->now)
                link_in(&w->l0[w->now & (ANT__WHEEL_L0 - 1)], t); /* fires in this very step */
            else
                place(w, t);
            t = next;
        }
    }
}

static void fire(struct ant__wheel *w, struct ant__timer *t, struct ant__p *p,
                 struct ant__glist *out)
{
    if (!t->fire) {
        struct ant__g *g = ant__container_of(t, struct ant__stack, timer)->g;

        ant__store_relaxed(&g->state, ANT__G_RUNNABLE);
        ant__glist_push(out, g);
    } else {
        ant_time again = t->fire(t, p, out);

        if (again) {
            t->tick = tick_of(again);
            place(w, t);
            return;
        }
    }
    w->count--;
    ant__store_release(&t->wheel, NULL);
}

/* A slot is a list of records of as many stacks: who goes through it would wait for the memory of
 * each before it knows the next. So each has a hint of one further on, see place; and when that one
 * has come nearer, a scout fetches the G that it belongs to. (A hint may be stale, and is fetched
 * but not read; the scout goes along the list.) */
static int fire_slot(struct ant__wheel *w, int most, struct ant__p *p, struct ant__glist *out)
{
    unsigned s = w->now & (ANT__WHEEL_L0 - 1);
    struct ant__timer *t = w->l0[s], *scout = t;

    for (int i = 0; i < SCOUT_AHEAD && scout; i++)
        scout = scout->next;
    while (t && most > 0) {
        struct ant__timer *next = t->next;

        ant__prefetch(t->ahead);
        if (scout) {
            if (!scout->fire)
                ant__prefetch(ant__container_of(scout, struct ant__stack, timer)->g);
            scout = scout->next;
        }
        fire(w, t, p, out);
        t = next;
        most--;
    }
    w->l0[s] = t;
    if (t) {
        t->link = &w->l0[s];
        w->l0_used[s / 64] |= (uint64_t)1 << s % 64; /* cascade does not set it */
    } else {
        w->l0_used[s / 64] &= ~((uint64_t)1 << s % 64);
    }
    return most;
}

/* So many at a time, and no more: they are to run while what was touched here is still in the
 * cache, and others want the lock. The rest stays due. */
void ant__wheel_run(struct ant__wheel *w, ant_time now, struct ant__p *p, struct ant__glist *out)
{
    uint64_t until = (uint64_t)now >> ANT__WHEEL_TICK_BITS;
    int most = ANT__WHEEL_FIRE;

    if (now < ant__load_relaxed(&w->next))
        return;
    ant__lock(&w->lock);
    while (w->count && most > 0) {
        uint64_t tick = next_event(w);

        if (tick > until)
            break;
        w->now = tick;
        cascade(w);
        most = fire_slot(w, most, p, out);
    }
    if (most == 0)
        w->now--; /* there may be more in this slot */
    else if (until > w->now)
        w->now = until;
    publish_next(w);
    ant__unlock(&w->lock);
}

/* ---- arming ---- */

bool ant__timer_arm(struct ant__p *p, struct ant__timer *t, ant_time when)
{
    struct ant__wheel *w = &p->wheel;
    bool first;

    ant__lock(&w->lock);
    if (ant__unlikely(ant__load_relaxed(&t->wheel) != NULL))
        ant__fatal("a timer is started that is pending: two threads start it at a time");
    t->tick = tick_of(when);
    if (w->count++ == 0) {
        /* Nothing pending: the wheel may have stood still for long. */
        uint64_t tick = (uint64_t)ant__now() >> ANT__WHEEL_TICK_BITS;

        if (tick > w->now)
            w->now = tick;
        memset(w->l0_used, 0, sizeof w->l0_used);
        memset(w->used, 0, sizeof w->used);
    }
    ant__store_relaxed(&t->wheel, w);
    place(w, t);
    when = time_of(t->tick > w->now ? t->tick : w->now + 1);
    first = when < ant__load_relaxed(&w->next);
    if (first)
        ant__store_relaxed(&w->next, when);
    ant__unlock(&w->lock);
    return first;
}

/* Locks the wheel that t is pending on; NULL if it is not. */
static struct ant__wheel *lock_wheel_of(struct ant__timer *t)
{
    for (;;) {
        struct ant__wheel *w = ant__load_acquire(&t->wheel);

        if (!w)
            return NULL;
        ant__lock(&w->lock);
        if (w == ant__load_relaxed(&t->wheel))
            return w;
        ant__unlock(&w->lock); /* it fired, or moved to another P */
    }
}

bool ant__timer_disarm(struct ant__timer *t)
{
    struct ant__wheel *w = lock_wheel_of(t);

    if (!w)
        return false;
    unlink_timer(t);
    ant__store_release(&t->wheel, NULL);
    if (--w->count == 0)
        ant__store_relaxed(&w->next, ANT__NEVER);
    ant__unlock(&w->lock);
    return true;
}

static void move_slot(struct ant__wheel *to, struct ant__timer **slot)
{
    while (*slot) {
        struct ant__timer *t = *slot;

        unlink_timer(t);
        ant__store_release(&t->wheel, to);
        to->count++;
        place(to, t);
    }
}

/* The P of `from` goes out of use. `to` belongs to a P with a lower number, which is the order in
 * which two wheels may be locked. */
void ant__wheel_move(struct ant__wheel *to, struct ant__wheel *from)
{
    ant_time next;

    ant__lock(&to->lock);
    ant__lock(&from->lock);
    for (int s = 0; s < ANT__WHEEL_L0; s++)
        move_slot(to, &from->l0[s]);
    for (int level = 0; level < ANT__WHEEL_LEVELS; level++) {
        for (int s = 0; s < SLOTS; s++)
            move_slot(to, &from->slots[level][s]);
    }
    from->count = 0;
    publish_next(from);
    publish_next(to);
    next = ant__load_relaxed(&to->next);
    ant__unlock(&from->lock);
    ant__unlock(&to->lock);
    if (next != ANT__NEVER)
        ant__timer_armed(next);
}

static void drop_slot(struct ant__timer **slot)
{
    struct ant__timer *t = *slot;

    while (t) {
        struct ant__timer *next = t->next;

        ant__store_release(&t->wheel, NULL); /* its owner may free it now */
        t = next;
    }
    *slot = NULL;
}

/* The runtime has stopped: nothing is pending any more. */
void ant__wheel_drop(struct ant__wheel *w)
{
    ant__lock(&w->lock);
    for (int s = 0; s < ANT__WHEEL_L0; s++)
        drop_slot(&w->l0[s]);
    for (int level = 0; level < ANT__WHEEL_LEVELS; level++) {
        for (int s = 0; s < SLOTS; s++)
            drop_slot(&w->slots[level][s]);
    }
    ant__unlock(&w->lock);
}

ant_time ant__timers_next(void)
{
    ant_time first = ANT__NEVER;

    for (int i = 0; i < ant__load_acquire(&ant__sched.all_ps_n); i++) {
        ant_time next = ant__load_relaxed(&ant__p_at(i)->wheel.next);

        if (next < first)
            first = next;
    }
    return first;
}

uint64_t ant__timers_count(void)
{
    uint64_t n = 0;

    for (int i = 0; i < ant__load_acquire(&ant__sched.all_ps_n); i++) {
        struct ant__wheel *w = &ant__p_at(i)->wheel;

        ant__lock(&w->lock);
        n += (uint64_t)w->count;
        ant__unlock(&w->lock);
    }
    return n;
}

/* ---- for who is in user code ---- */

int ant__timer_start(struct ant__timer *t, ant_time when)
{
    struct ant__m *m = ant__enter();

    if (!m && !ant__foreign_enter())
        return ANT_ENOTRUNNING;
    if (ant__timer_arm(m ? m->p : ant__p_at(0), t, when))
        ant__timer_armed(when);
    if (m)
        ant__leave(m);
    else
        ant__foreign_leave();
    return 0;
}

bool ant__timer_stop(struct ant__timer *t)
{
    struct ant__m *m;
    bool stopped;

    if (!ant__load_acquire(&t->wheel))
        return false;
    m = ant__enter();
    stopped = ant__timer_stop_inside(m, t);
    if (m)
        ant__leave(m);
    return stopped;
}

/* A thread that is no M is counted as inside also while the runtime stops, when there are wheels
 * still: these go only after all timers are off them and nobody is inside (ant__free_all). So it
 * need not wait for the stop, which may be waiting for this very thread to end. */
bool ant__timer_stop_inside(struct ant__m *m, struct ant__timer *t)
{
    bool stopped;

    if (m)
        return ant__timer_disarm(t);
    atomic_fetch_add(&ant__sched.foreign_inside, 1);
    if (atomic_load(&ant__sched.life) == ANT__FORKED)
        ant__fatal_forked();
    stopped = ant__timer_disarm(t);
    ant__foreign_leave();
    return stopped;
}

ant_time ant__timer_go(struct ant__p *p, void (*fn)(void *), void *arg, struct ant__glist *out)
{
    struct ant__g *g = ant__g_new(p, fn, arg, ant__sched.default_class);

    if (!g)
        return ant__now() + ANT_MILLISECOND;
    ant__glist_push(out, g);
    return 0;
}

/* ---- the public timer ---- */

struct user_timer {
    struct ant__timer timer;
    void (*fn)(void *);
    void *arg;
};

_Static_assert(sizeof(struct user_timer) <= sizeof(ant_timer), "ant_timer is too small");

static ant_time fire_user(struct ant__timer *t, struct ant__p *p, struct ant__glist *out)
{
    struct user_timer *u = ant__container_of(t, struct user_timer, timer);

    return ant__timer_go(p, u->fn, u->arg, out);
}

static int start_user(struct user_timer *u, ant_duration d)
{
    return ant__timer_start(&u->timer, ant__time_add(ant__now(), d > 0 ? d : 0));
}

int ant_timer_start(ant_timer *timer, ant_duration d, void (*fn)(void *), void *arg)
{
    struct user_timer *u = (struct user_timer *)timer;

    if (!timer || !fn)
        return -EINVAL;
    if (ant__load_acquire(&u->timer.wheel))
        return -EBUSY;
    u->timer.fire = fire_user;
    u->fn = fn;
    u->arg = arg;
    return start_user(u, d);
}

int ant_timer_stop(ant_timer *timer)
{
    return timer ? ant__timer_stop(&((struct user_timer *)timer)->timer) : -EINVAL;
}

int ant_timer_reset(ant_timer *timer, ant_duration d)
{
    struct user_timer *u = (struct user_timer *)timer;
    int pending, err;

    if (!timer || !u->fn)
        return -EINVAL;
    pending = ant__timer_stop(&u->timer);
    err = start_user(u, d);
    return err ? err : pending;
}
