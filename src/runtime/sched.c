/* sched.c - which goroutine runs next, and where.
 *
 * The way of a goroutine. ant_go queues it on the P of its creator; a P picks it, binds a stack and
 * switches to it; it runs until it yields, parks or ends. It then picks the next one from its P's
 * own queue itself and switches straight to it. Only if there is none, or if the P's budget of such
 * straight switches is used up, it switches to g0, which looks further (search.c) and may put the
 * thread to sleep.
 *
 * Publish after leaving. A goroutine that leaves must not be seen by others while its stack is in
 * use: another thread would resume it on a stack that still runs. So it only says how it left to
 * whoever runs next on that M, who settles it as a first act: queues it, commits its parking or
 * frees it.
 *
 * Budget. Looking beyond the own queue costs: a lock for the global queue, 30 ns for the clock. So
 * that is done every `stride` goroutines, at most every 61 (look_around): runnext goes to the end
 * of the queue, so that two goroutines that keep readying one another cannot starve the rest, and
 * if there is something in the global queue or a timer is due, g0 takes over and serves them first.
 * The stride adapts: it doubles while `stride` goroutines take less than 20 us together, and falls
 * to 1 when they take more than 200 us.
 *
 * Waking without loss. An M that finds nothing gives its P back (idle_ps_n grows), stops spinning
 * (spinning falls), and then, behind a fence, looks at all queues once more before it sleeps. Who
 * makes work looks, behind a fence after publishing it, at idle_ps_n and spinning:
 *     publish work; fence; if (idle_ps_n > 0 && spinning == 0) wake an M, which begins as spinning
 *     give P back; stop spinning; fence; look at all queues
 * Of the two looks at least one sees the other's act. If the maker does nothing because somebody
 * spins, then that one finds the work, or finds other work, or retires and looks again. A spinner
 * that finds work wakes the next one in the same way, so that wake-ups go on one by one while there
 * is work and an idle P. Every M looks again before it sleeps, not only those that were spinning:
 * this replaces the "need spinning" flag by which Go closes the gap between a submitter that sees
 * no idle P and an M that is just giving its P back. (tests/models/parking.pml)
 *
 * Rejected: handing a readied goroutine straight to an idle thread. It loses locality, and the
 * readier often parks in the next moment and could have run it itself.
 */
#include <sched.h>

#include "runtime/netpoll.h"
#include "runtime/preempt.h"

struct ant__sched ant__sched;

enum {
    PREFETCH_LINES = 4,
    AHEAD = 4,
    CLOCK_SHORT = 20 * ANT_MICROSECOND,
    CLOCK_LONG = 200 * ANT_MICROSECOND,
};

/* ---- waking ---- */

/* Work was published, and a fence made. */
static ant__always_inline bool wake_up_is_due(void)
{
    return ant__load_relaxed(&ant__sched.idle_ps_n) > 0 &&
           ant__load_relaxed(&ant__sched.spinning) == 0;
}

/* The same for work that is not the next of a P that is running. */
static ant__always_inline bool rousing_is_due(void)
{
    return ant__load_relaxed(&ant__sched.napper) != NULL;
}

static ant__noinline void wake_spinner(void)
{
    struct ant__sched *s = &ant__sched;
    struct ant__p *p;
    int none = 0;

    if (!atomic_compare_exchange_strong(&s->spinning, &none, 1))
        return;
    ant__lock(&s->lock);
    p = ant__load_relaxed(&s->life) == ANT__RUNNING ? ant__p_idle_get() : NULL;
    /* Before the unlock: the 1 may keep others from waking somebody only as long as no P is
     * idle. */
    if (!p)
        atomic_fetch_sub(&s->spinning, 1);
    ant__unlock(&s->lock);
    if (p)
        ant__m_start(p, true);
}

void ant__wake_one(void)
{
    ant__fence();
    if (rousing_is_due())
        ant__rouse();
    else if (wake_up_is_due())
        wake_spinner();
}

bool ant__work_waits(void)
{
    if (ant__load_relaxed(&ant__sched.global_n) > 0)
        return true;
    for (int i = 0; i < ant__load_acquire(&ant__sched.all_ps_n); i++) {
        if (!ant__runq_empty(&ant__p_at(i)->runq))
            return true;
    }
    return false;
}

bool ant__work_queues(void)
{
    bool queues = ant__load_relaxed(&ant__sched.global_n) > 0;

    for (int i = 0; i < ant__load_acquire(&ant__sched.all_ps_n) && !queues; i++)
        queues = ant__runq_len(&ant__p_at(i)->runq) > 0;
    return queues;
}

/* ---- the global queue ---- */

static void global_append(struct ant__glist *list)
{
    struct ant__sched *s = &ant__sched;

    ant__lock(&s->lock);
    if (s->global.tail)
        s->global.tail->next = list->head;
    else
        s->global.head = list->head;
    s->global.tail = list->tail;
    s->global.n += list->n;
    ant__store_relaxed(&s->global_n, s->global.n);
    ant__unlock(&s->lock);
}

static void global_put(struct ant__g *g)
{
    struct ant__glist one = {0};

    ant__glist_push(&one, g);
    global_append(&one);
}

/* What running g will touch first. If it was parked for long: its stack around sp, the stack's
 * record, and most likely what its argument points to. Each is a cache miss, the first one of the
 * TLB too; here they overlap. (Always inline, or gcc takes it for a function without effect.) */
static ant__always_inline void prefetch(const struct ant__g *g)
{
    if (!g->stack) {
        ant__prefetch(g->sp); /* a G further on: see runq.c */
        if (ant__g_is(g, ANT__G_ANNEX))
            ant__prefetch(g->arg);
        return;
    }
    for (size_t line = 0; line < PREFETCH_LINES; line++)
        ant__prefetch((const char *)g->sp + line * ANT__CACHE_LINE);
    ant__prefetch(g->stack);
    if ((uintptr_t)g->arg >= 4096) /* NULL or a number would only cost a miss of the TLB */
        ant__prefetch(g->arg);
}

/* The same some places ahead in a ring with many: what was fetched when they were queued may be
 * gone again. The G itself is fetched still earlier. It may have been stolen meanwhile, and be
 * written to: what we read of it are hints, which TSan need not know. */
static ant__always_inline void prefetch_ahead(struct ant__runq *q)
{
#ifndef ANT__TSAN
    uint32_t head = ant__load_relaxed(&q->head);

    if (ant__load_relaxed(&q->tail) - head <= 2 * AHEAD)
        return;
    ant__prefetch(ant__load_relaxed(&q->ring[(head + 2 * AHEAD) & ANT__RUNQ_MASK]));
    prefetch(ant__load_relaxed(&q->ring[(head + AHEAD) & ANT__RUNQ_MASK]));
#endif
}

/* One to run, and with `batch` a fair share more for the own queue, which is nearly empty then. */
struct ant__g *ant__global_take(struct ant__p *p, bool batch)
{
    struct ant__sched *s = &ant__sched;
    struct ant__glist unused = {0};
    struct ant__g *first;
    bool more = false;
    int n;

    if (ant__load_relaxed(&s->global_n) == 0)
        return NULL;
    ant__lock(&s->lock);
    n = batch ? s->global.n / ant__load_relaxed(&s->procs) + 1 : 1;
    if (n > ANT__RUNQ_SIZE / 2)
        n = ANT__RUNQ_SIZE / 2;
    first = ant__glist_pop(&s->global);
    while (--n > 0 && s->global.head) {
        struct ant__g *g = ant__glist_pop(&s->global);

        prefetch(g);
        ant__runq_put(&p->runq, g, &unused);
        more = true;
    }
    ant__store_relaxed(&s->global_n, s->global.n);
    ant__unlock(&s->lock);
    p->crowded |= more;
    if (more)
        ant__wake_one(); /* a searcher may have seen all queues empty while we held these */
    return first;
}

/* ---- making goroutines runnable ---- */

/* The ring of p is full: its older half goes to the global queue. */
static ant__noinline void overflow(struct ant__p *p, struct ant__g *g)
{
    struct ant__glist list = {0};

    ant__runq_put_slow(&p->runq, g, &list);
    if (list.n)
        global_append(&list);
}

static ant__always_inline void queue_last(struct ant__p *p, struct ant__g *g)
{
    if (ant__unlikely(!ant__runq_try_put(&p->runq, g)))
        overflow(p, g);
}

/* True: there is more than that one now. */
static ant__always_inline bool queue_next(struct ant__p *p, struct ant__g *g)
{
    struct ant__g *old = ant__runq_swap_next(&p->runq, g);

    if (old)
        queue_last(p, old);
    return old != NULL;
}

void ant__run_next(struct ant__p *p, struct ant__g *g)
{
    queue_next(p, g);
}

void ant__runq_to_global(struct ant__p *p)
{
    struct ant__glist list = {0};
    struct ant__g *g;

    while ((g = ant__runq_get_shared(&p->runq)))
        ant__glist_push(&list, g);
    if (list.n)
        global_append(&list);
}

/* As a thief takes it, half by half; the last one is runnext. */
void ant__all_to_global(struct ant__p *p)
{
    for (int i = 0; i < ant__load_acquire(&ant__sched.all_ps_n); i++) {
        struct ant__p *v = ant__p_at(i);
        struct ant__g *g;
        int n;

        for (int halves = 0; v != p && halves < 10; halves++) {
            g = ant__runq_steal(&p->runq, &v->runq, true, &n);
            if (!g)
                break;
            ant__runq_to_global(p);
            global_put(g);
        }
    }
}

void ant__ready(struct ant__m *m, struct ant__g *g)
{
    /* release: a dump that sees it, with a new goroutine, sees all of that */
    ant__store_release(&g->state, ANT__G_RUNNABLE);
    if (m) {
        bool second = queue_next(m->p, g);

        ant__fence_after_rmw();
        if (ant__unlikely(wake_up_is_due()))
            wake_spinner();
        else if (second && ant__unlikely(rousing_is_due()))
            ant__rouse();
    } else {
        global_put(g);
        ant__wake_one();
    }
}

/* Then some are left to them at once, without the detour of stealing. Were that done while they are
 * busy, sleepers would change Ps for nothing, with all that belongs to them. */
static bool others_lack_work(void)
{
    return ant__load_relaxed(&ant__sched.procs) > 1 &&
           (ant__load_relaxed(&ant__sched.idle_ps_n) > 0 ||
            ant__load_relaxed(&ant__sched.spinning) > 0); /* that may be we ourselves */
}

/* As many as fit go to p's own queue, in order, the rest to the global one. */
void ant__ready_list(struct ant__p *p, struct ant__glist *list)
{
    if (list->n == 0)
        return;
    if (p) {
        struct ant__glist unused = {0};
        int room = ANT__RUNQ_SIZE - ant__runq_len(&p->runq);

        if (room > list->n / 2 && others_lack_work())
            room = list->n - list->n / 2;
        p->crowded |= room > 2 * AHEAD;
        while (room-- > 0 && list->head) {
            struct ant__g *g = ant__glist_pop(list);

            prefetch(g);
            ant__runq_put(&p->runq, g, &unused);
        }
    }
    if (list->n)
        global_append(list);
    *list = (struct ant__glist){0};
    ant__wake_one();
}

/* ---- leaving a goroutine ---- */

/* How a goroutine was left. Whoever runs next on the M is passed its address with this in the low
 * bits. */
enum left_how {
    LEFT_NOBODY,
    LEFT_YIELD,
    LEFT_PARK,
    LEFT_DEAD,
    LEFT_REQUEUE, /* always for g0 */
    LEFT_MASK = 7
};

/* What was queued again may have been missed by an M that looked for work meanwhile. There is none that
 * would look into a private queue, which saves a fence; when it is shared, ant_set_procs sees to it. (The
 * number of Ps does not tell: one that is too many may still be held.) */
static ant__always_inline void requeued(struct ant__p *p)
{
    if (ant__runq_is_private(&p->runq))
        return;
    ant__fence();
    if (ant__unlikely(wake_up_is_due()))
        wake_spinner();
    else if (ant__unlikely(rousing_is_due()))
        ant__rouse();
}

static ant__noinline void settle_requeued(struct ant__g *g)
{
    ant__store_relaxed(&g->state, ANT__G_RUNNABLE);
    global_put(g);
    ant__wake_one();
}

/* Publishes the goroutine that m has left. The first act of whatever runs next on m; on_g0: that is
 * g0, which sees to what it leaves in the queue before it runs another. */
static ant__always_inline void settle(struct ant__m *m, uintptr_t left, bool on_g0)
{
    struct ant__g *g = (struct ant__g *)(left & ~(uintptr_t)LEFT_MASK);

    if (ant__unlikely(!left))
        return;
    if (ant__unlikely(ant__g_is(g, ANT__G_CANARY)))
        ant__stack_check(g, g->sp);
    if (on_g0 && (left & LEFT_MASK) == LEFT_REQUEUE) {
        settle_requeued(g);
        return;
    }
    switch ((enum left_how)(left & LEFT_MASK)) {
    case LEFT_YIELD:
        ant__store_relaxed(&g->state, ANT__G_RUNNABLE);
        queue_last(m->p, g);
        if (!on_g0)
            requeued(m->p);
        break;
    case LEFT_PARK:
        ant__store_relaxed(&g->state, ANT__G_WAITING);
        if (!m->commit(m, g, m->commit_arg)) {
            ant__store_relaxed(&g->state, ANT__G_RUNNABLE);
            queue_next(m->p, g);
            if (!on_g0)
                requeued(m->p);
        }
        break;
    default:
        ant__track_ended(&g->stack->track, g->sp, (char *)g->stack);
        ant__stack_reguard(g->stack);
        ant__stack_push(m->p, g->stack);
        ant__g_put(m->p, g);
        break;
    }
}

/* Whether g can be switched to from another goroutine: it has or easily gets a stack, and is not
 * tied to another thread. */
static ant__always_inline bool bind_fast(struct ant__m *m, struct ant__g *g)
{
    if (ant__unlikely(ant__g_is(g, ANT__G_LOCKED)))
        return false;
    if (!g->stack) {
        struct ant__stack *s = ant__stack_pop(m->p, g->stack_class);

        if (ant__unlikely(!s))
            return false;
        ant__g_bind(m->p, g, s);
        g->sp = ant__switch_prepare(ant__stack_top(s));
    }
    return true;
}

/* A new budget, and a stride that makes the looks come every 20 to 200 us. */
static void renew_budget(struct ant__p *p)
{
    ant_time now = ant__now();
    ant_duration took = now - p->now;

    if (took < CLOCK_SHORT)
        p->stride = p->stride * 2 < ANT__GLOBAL_EVERY ? p->stride * 2 : ANT__GLOBAL_EVERY;
    else if (took > CLOCK_LONG)
        p->stride = 1;
    p->now = now;
    p->budget = p->stride;
    p->until_global -= p->stride;
}

/* The budget is used up: what runs next for its own sake goes behind the others, and the clock is
 * read. True: there is something else to be done, by g0. */
bool ant__look_around(struct ant__p *p)
{
    int len = ant__runq_len(&p->runq);
    /* With nobody behind it, it may as well stay: in the ring a thief would part it from the one
     * that readied it, and may be waiting for it. */
    struct ant__g *g = len > 0 ? ant__runq_take_next(&p->runq) : NULL;

    if (g)
        queue_last(p, g);
    p->crowded = len > 2 * AHEAD;
    renew_budget(p);
    if (p->until_global <= 0 && ant__load_relaxed(&ant__sched.global_n) == 0)
        p->until_global = ANT__GLOBAL_EVERY;
    return p->until_global <= 0 || p->now >= ant__load_relaxed(&p->wheel.next) ||
           p->id >= ant__load_relaxed(&ant__sched.procs) || ant__unlikely(ant__poll_is_wanted(p)) ||
           ant__timers_unwatched();
}

/* The next goroutine from the own queue, or NULL: g0 must look. */
static ant__always_inline struct ant__g *pick(struct ant__m *m)
{
    struct ant__g *g;

    if (ant__unlikely(m->locked_g || ant__g0_is_wanted(m)))
        return NULL;
    if (ant__unlikely(--m->p->budget < 0) && ant__look_around(m->p))
        return NULL;
    if (ant__unlikely(m->p->crowded))
        prefetch_ahead(&m->p->runq);
    g = ant__runq_get(&m->p->runq);
    if (g && ant__unlikely(!bind_fast(m, g))) {
        m->chosen = g;
        return NULL;
    }
    return g;
}

static ant__always_inline void begin(struct ant__m *m, struct ant__g *g)
{
    ant__m_set_g(m, g);
    ant__store_relaxed(&g->state, ANT__G_RUNNING);
    ant__count(&m->p->switches, 1);
}

/* What of the thread's state travels with a goroutine that has it. */
enum { BAGGAGE = ANT__G_FENV | ANT__G_EXCEPTIONS };

static ant__noinline void put_by(struct ant__m *m, struct ant__g *g)
{
    if (ant__g_is(g, ANT__G_FENV)) {
        ant__fenv_save(&g->stack->fenv);
        ant__fenv_load(&ant__sched.fenv);
    }
    if (ant__g_is(g, ANT__G_EXCEPTIONS)) {
        g->stack->exceptions = *m->exceptions;
        *m->exceptions = (struct ant__exceptions){0};
    }
}

static ant__noinline void take_up(struct ant__m *m, struct ant__g *g)
{
    if (ant__g_is(g, ANT__G_FENV))
        ant__fenv_load(&g->stack->fenv);
    if (ant__g_is(g, ANT__G_EXCEPTIONS))
        *m->exceptions = g->stack->exceptions;
}

/* Leaves the running goroutine for `next`, or for g0 if that is NULL. Comes back when the goroutine
 * is resumed, with the M that resumed it. */
static ant__always_inline struct ant__m *switch_out(struct ant__m *m, struct ant__g *next,
                                                    enum left_how how)
{
    struct ant__g *g = m->g;
    struct ant__passed pass = {.m = m, .left = (uintptr_t)g | how};
    void *fake_stack = NULL;
    void *sp;

    if (ant__unlikely(ant__g_is(g, BAGGAGE)))
        put_by(m, g);
    if (next) {
        begin(m, next);
        sp = next->sp;
        ant__track_before(how == LEFT_DEAD ? NULL : &fake_stack, &next->stack->track);
    } else {
        ant__m_set_g(m, NULL);
        sp = m->sp;
        ant__track_before(how == LEFT_DEAD ? NULL : &fake_stack, &m->track);
    }
    pass = ant__switch(&g->sp, sp, pass);
    ant__track_after(fake_stack);
    settle(pass.m, pass.left, false);
    if (ant__unlikely(ant__g_is(g, BAGGAGE)))
        take_up(pass.m, g);
    return pass.m;
}

struct ant__m *ant__park(struct ant__m *m, enum ant__reason reason, ant__commit_fn *commit,
                         void *arg)
{
    int saved = *m->errno_at;

    m->g->reason = (uint8_t)reason;
    m->g->stack->since = m->p->now;
    m->commit = commit;
    m->commit_arg = arg;
    m = switch_out(m, pick(m), LEFT_PARK);
    *m->errno_at = saved;
    return m;
}

struct ant__m *ant__reschedule(struct ant__m *m)
{
    int saved = *m->errno_at;

    m = switch_out(m, pick(m), LEFT_YIELD);
    *m->errno_at = saved;
    return m;
}

struct ant__m *ant__requeue(struct ant__m *m)
{
    int saved = *m->errno_at;

    m = switch_out(m, NULL, LEFT_REQUEUE);
    *m->errno_at = saved;
    return m;
}

void ant_yield(void)
{
    struct ant__m *m = ant__enter();

    if (!m) {
        sched_yield();
        return;
    }
    ant__leave(ant__reschedule(m));
}

/* ---- the life of a goroutine ---- */

static ant__always_inline struct ant__m *end_user_side(struct ant__m *m)
{
    struct ant__stack *s = m->g->stack;

    ant__unwind_check_empty(&s->unwind);
    if (ant__unlikely(s->locals != NULL)) {
        ant__leave(m);
        ant__locals_destroy(s);
        m = ant__enter();
    }
    return m;
}

struct ant__m *ant__g_end_user_side(struct ant__m *m)
{
    return end_user_side(m);
}

/* Frees the running goroutine, which is at its end, and makes `next`, which has not begun, the
 * running one in its place, on the same stack. */
static void take_over(struct ant__m *m, struct ant__g *next)
{
    struct ant__g *g = m->g;

    if (ant__unlikely(ant__g_is(g, ANT__G_CANARY)))
        ant__stack_check(g, ant__stack_top(g->stack));
    if (ant__unlikely(ant__g_is(g, BAGGAGE)))
        put_by(m, g);
    ant__g_bind(m->p, next, g->stack);
    ant__g_put(m->p, g);
    begin(m, next);
}

/* The running goroutine has ended. True: another one has taken its place, see take_over. Else it
 * never comes back. */
static bool end(struct ant__m *m, bool may_take_over)
{
    struct ant__g *g = m->g, *next = NULL;

    ant__count(&m->p->ended, 1);
    if (ant__unlikely(m->locked_g != NULL)) {
        g->stack->lock_depth = 0;
        m->locked_g = NULL;
        m->ended = true;
    } else if (ant__likely(!ant__g0_is_wanted(m)) &&
               (ant__likely(--m->p->budget >= 0) || !ant__look_around(m->p))) {
        next = ant__runq_get(&m->p->runq);
    }
    if (next && may_take_over && !next->stack && next->stack_class == g->stack_class &&
        ant__likely(!(ant__g_is(g, ANT__G_BELOW)))) {
        take_over(m, next);
        return true;
    }
    if (next && !bind_fast(m, next)) {
        m->chosen = next;
        next = NULL;
    }
    switch_out(m, next, LEFT_DEAD);
    __builtin_unreachable();
}

/* Where every goroutine begins. When one ends and the next in the queue has not begun yet, that one
 * takes over this stack as it is, without a switch: a million goroutines that never park
 * need one stack for each P. */
__attribute__((section("ant_bottom_text"))) /* see ant__is_bottom_frame */
void ant__g_main(struct ant__m *m, uintptr_t left)
{
    ant__track_after(NULL);
    settle(m, left, false);
    do {
        struct ant__g *g = m->g;

        ant__stack_reguard(g->stack);
        ant__leave(m);
        g->fn(g->arg);
        m = end_user_side(ant__enter());
    } while (end(m, true));
}

void ant__g_finish(struct ant__m *m)
{
    struct ant__stack *s;

    m = end_user_side(m);
#ifdef ANT__TSAN
    end(m, false); /* else its list of entered functions would grow */
#endif
    end(m, true);
    s = m->g->stack;
    ant__track_no_return();
    ant__track_before(NULL, &s->track);
    ant__track_clear(s->low, (size_t)((char *)s - s->low));
    ant__switch_restart(ant__stack_top(s), m);
}

void ant__g_abandon(struct ant__m *m)
{
    void *sp;

    ant__m_set_g(m, NULL);
    ant__track_before(NULL, &m->track);
    ant__switch(&sp, m->sp, (struct ant__passed){.m = m});
    __builtin_unreachable();
}

struct call {
    void (*fn)(void *);
    void *arg;
    struct ant__track *back_to;
};

static void call_in_room(void *arg)
{
    struct call *c = arg;

    ant__track_after(NULL);
    c->fn(c->arg);
    ant__track_borrow(NULL, c->back_to);
}

void ant__with_room(void (*fn)(void *), void *arg)
{
    struct ant__g *g = ant__self();
    struct ant__stack *s = g ? g->stack : NULL;
    void *fake_stack = NULL;
    struct ant__m *m;
    uint8_t was;

    /* Not from below the goroutine's own stack record: we are in a call of this kind already. */
    if (!s || (uintptr_t)s - (uintptr_t)&fake_stack > (size_t)1 << g->stack_class) {
        fn(arg);
        return;
    }
    was = ant__stay(g);
    m = ant__m();
    ant__track_borrow(&fake_stack, &m->track);
    ant__call_on(m->sp, call_in_room, &(struct call){.fn = fn, .arg = arg, .back_to = &s->track});
    ant__track_after(fake_stack);
    ant__unstay(g, was);
}

/* On another stack than the goroutine's own `left` is large, whichever lies higher. */
void ant__with_room_for(size_t need, void (*fn)(void *), void *arg)
{
    struct ant__g *g = ant__self();
    size_t left = g ? (uintptr_t)__builtin_frame_address(0) - (uintptr_t)g->stack->low : need;

    if (left < need)
        ant__with_room(fn, arg);
    else
        fn(arg);
}

/* ---- g0 ---- */

static void bind_stack(struct ant__m *m, struct ant__g *g)
{
    int err;

    if (g->stack)
        return;
    err = m->p->stacks[g->stack_class].head ? 0 : ant__stack_refill(m->p, g->stack_class);
    if (err)
        ant__fatal("goroutine %llu cannot begin: no memory for its stack of %zu bytes (%s)",
                   (unsigned long long)g->id, (size_t)1 << g->stack_class, ant_strerror(err));
    ant__g_bind(m->p, g, ant__stack_pop(m->p, g->stack_class));
    g->sp = ant__switch_prepare(ant__stack_top(g->stack));
}

/* Runs g, and whatever it switches to, until one of them comes back to g0. */
static void execute(struct ant__m *m, struct ant__g *g)
{
    struct ant__passed pass = {.m = m};
    void *fake_stack = NULL;

    bind_stack(m, g);
    begin(m, g);
    ant__track_before(&fake_stack, &g->stack->track);
    pass = ant__switch(&m->sp, g->sp, pass);
    ant__track_after(fake_stack);
    settle(m, pass.left, true);
}

static struct ant__g *next_for_g0(struct ant__m *m)
{
    struct ant__g *g = m->chosen;

    m->chosen = NULL;
    return g ? g : ant__find_work(m);
}

void ant__schedule(struct ant__m *m)
{
    while (!m->ended && !(ant__load_acquire(&m->claim) & ANT__CLAIM_STOP)) {
        struct ant__g *g;

        ant__pause_here(m);
        g = next_for_g0(m);
        if (!g)
            continue;
        if (m->spinning) {
            ant__stop_spinning(m);
            ant__wake_one();
        }
        if (m->p->unwatched) {
            m->p->unwatched = false;
            ant__timer_armed(ant__load_relaxed(&m->p->wheel.next));
        }
        if (ant__g_is(g, ANT__G_LOCKED) && g->stack->locked_m != m) {
            ant__m_run_locked(m, g);
            continue;
        }
        if (!ant__runq_empty(&m->p->runq))
            requeued(m->p);
        if (ant__unlikely(ant__load_acquire(&m->claim) & ANT__CLAIM_RECORD))
            ant__record_before(g);
        execute(m, g);
        if (m->locked_g && !(ant__load_acquire(&m->claim) & ANT__CLAIM_STOP)) {
            ant__m_wait_locked(m);
            m->chosen = m->locked_g;
        }
    }
    if (m->spinning)
        ant__stop_spinning(m);
}
