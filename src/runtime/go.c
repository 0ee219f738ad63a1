/* go.c - making goroutines, and what a goroutine can do to itself. */
#include <errno.h>
#include <string.h>
#include <time.h>

#include "runtime/preempt.h"

/* ---- making ---- */

static inline void g_init(struct ant__g *g, uint64_t id, const struct ant__g *parent, int cls)
{
    int64_t distance = parent ? (int64_t)(parent->id - id) : 0;

    g->stack = NULL;
    g->id = id;
    ant__store_relaxed(&g->flags, 0);
    g->stack_class = (uint8_t)cls;
    g->parent = distance == (int32_t)distance ? (int32_t)distance : 0;
}

struct ant__g *ant__g_new(struct ant__p *p, void (*fn)(void *), void *arg, int cls)
{
    struct ant__g *g = ant__g_get(p);

    if (!g)
        return NULL;
    g_init(g, ant__g_new_id(p), NULL, cls);
    g->fn = fn;
    g->arg = arg;
    g->creator = NULL;
    ant__store_release(&g->state, ANT__G_RUNNABLE);
    ant__count(&p->created, 1);
    return g;
}

/* What ant_go and its kin have in common. */
struct order {
    void (*fn)(void *);
    void *arg;
    const void *copy; /* NULL: arg is passed as it is */
    size_t size;
    const char *name;
    int cls; /* 0: the default */
    uint8_t flags;
    void *creator;
};

/* A large argument lies on the goroutine's own stack, which must then be bound right away. */
static int copy_to_stack(struct ant__p *p, struct ant__g *g, const struct order *o)
{
    struct ant__stack *s;
    char *top;
    int err;

    if (o->size > ((size_t)1 << g->stack_class) / 4)
        return -EINVAL;
    err = ant__stack_make(&s, g->stack_class);
    if (err)
        return err;
    ant__g_bind(p, g, s);
    top = (char *)ant__stack_top(s) - o->size;
    top = (char *)((uintptr_t)top & ~(uintptr_t)15);
    g->arg = memcpy(top, o->copy, o->size);
    g->sp = ant__switch_prepare(top);
    ant__g_set(g, ANT__G_BELOW);
    s->name = o->name;
    return 0;
}

static int attach_annex(struct ant__p *p, struct ant__g *g, const struct order *o)
{
    struct ant__annex *annex;

    if (o->size > ANT__ARGS_INLINE)
        return copy_to_stack(p, g, o);
    annex = (struct ant__annex *)(p ? ant__g_get(p) : ant__g_get_foreign());
    if (!annex)
        return -ENOMEM;
    annex->name = o->name;
    annex->arg = o->arg;
    annex->size = (uint32_t)o->size;
    if (o->size)
        memcpy(annex->args, o->copy, o->size);
    g->arg = annex;
    ant__g_set(g, ANT__G_ANNEX);
    return 0;
}

static void unpack_annex(struct ant__p *p, struct ant__g *g, struct ant__stack *s)
{
    struct ant__annex *annex = g->arg;

    s->name = annex->name;
    g->arg = annex->size ? memcpy(s->args, annex->args, annex->size) : annex->arg;
    ant__g_clear(g, ANT__G_ANNEX);
    ant__g_put(p, (struct ant__g *)annex);
}

void ant__g_bind(struct ant__p *p, struct ant__g *g, struct ant__stack *s)
{
    g->stack = s;
    s->g = g;
    s->name = NULL;
    if (ant__unlikely(s->g_flags))
        ant__g_set(g, s->g_flags);
    if (ant__unlikely(ant__g_is(g, ANT__G_ANNEX)))
        unpack_annex(p, g, s);
}

static inline int fill(struct ant__p *p, struct ant__g *g, const struct order *o)
{
    g->fn = o->fn;
    g->arg = o->arg;
    g->creator = o->creator;
    ant__store_relaxed(&g->flags, o->flags);
    return ant__unlikely(o->copy || o->name) ? attach_annex(p, g, o) : 0;
}

static int spawn_foreign(const struct order *o)
{
    struct ant__g *g;
    int err = -ENOMEM;

    if (!ant__foreign_enter())
        return ANT_ENOTRUNNING;
    g = ant__g_get_foreign();
    if (g) {
        g_init(g, ant__g_new_ids(NULL), NULL, o->cls ? o->cls : ant__sched.default_class);
        err = fill(NULL, g, o);
        if (err)
            ant__g_put_foreign(g);
    }
    if (!err) {
        atomic_fetch_add_explicit(&ant__sched.foreign_created, 1, memory_order_relaxed);
        ant__ready(NULL, g);
    }
    ant__foreign_leave();
    return err;
}

static ant__always_inline int spawn_inside(struct ant__m *m, const struct order *o)
{
    struct ant__g *g = ant__g_get(m->p);
    int err;

    if (ant__unlikely(!g))
        return -ENOMEM;
    g_init(g, ant__g_new_id(m->p), m->g, o->cls ? o->cls : ant__sched.default_class);
    err = fill(m->p, g, o);
    if (ant__unlikely(err)) {
        ant__g_put(m->p, g);
        return err;
    }
    ant__count(&m->p->created, 1);
    ant__ready(m, g);
    return 0;
}

static inline int spawn(const struct order *o)
{
    struct ant__m *m = ant__enter();
    int err;

    if (ant__unlikely(!m))
        return spawn_foreign(o);
    err = spawn_inside(m, o);
    ant__leave(m);
    return err;
}

int ant__go(struct ant__m *m, void (*fn)(void *), void *arg, int cls, void *creator)
{
    struct order o = {.fn = fn, .arg = arg, .cls = cls, .creator = creator};

    return ant__likely(m != NULL) ? spawn_inside(m, &o) : spawn_foreign(&o);
}

int ant_go(void (*fn)(void *), void *arg)
{
    if (!fn)
        return -EINVAL;
    return spawn(&(struct order){.fn = fn, .arg = arg, .creator = __builtin_return_address(0)});
}

int ant_go_copy(void (*fn)(void *), const void *arg, size_t size)
{
    if (!fn || (size > 0 && !arg))
        return -EINVAL;
    return spawn(&(struct order){
        .fn = fn, .copy = size ? arg : NULL, .size = size, .creator = __builtin_return_address(0)});
}

int ant_go_opts(const ant_go_options *options, void (*fn)(void *), void *arg)
{
    struct order o = {.fn = fn, .arg = arg, .creator = __builtin_return_address(0)};

    if (!fn)
        return -EINVAL;
    if (options) {
        o.name = options->name;
        o.cls = options->stack_size ? ant__stack_class(options->stack_size) : 0;
        o.flags = (options->preempt == ANT_PREEMPT_SIGNAL ? ANT__G_PREEMPT : 0) |
                  (options->blocking ? ANT__G_BLOCKING : 0);
        if (o.cls < 0 || (unsigned)options->preempt > ANT_PREEMPT_SIGNAL)
            return -EINVAL;
    }
    return spawn(&o);
}

/* ---- sleeping ---- */

void ant__sleep_as_thread(ant_duration d)
{
    struct timespec left = {.tv_sec = d / ANT_SECOND, .tv_nsec = d % ANT_SECOND};
    int saved = ant__errno();

    while (nanosleep(&left, &left) != 0 && ant__errno() == EINTR)
        continue;
    ant__errno_set(saved);
}

static bool commit_sleep(struct ant__m *m, struct ant__g *g, void *arg)
{
    ant_time when = (ant_time)(intptr_t)arg;

    if (ant__timer_arm(m->p, &g->stack->timer, when)) {
        /* If g0 goes to sleep next it becomes keeper itself, and need not be told. */
        if (m->g)
            ant__timer_armed(when);
        else
            m->p->unwatched = true;
    }
    return true;
}

void ant_sleep(ant_duration d)
{
    ant_time when;
    struct ant__m *m;

    if (d <= 0)
        return;
    when = ant__time_add(ant__now(), d);
    m = ant__enter();
    if (!m) {
        ant__sleep_as_thread(d);
        return;
    }
    ant__leave(ant__park(m, ANT__WAIT_SLEEP, commit_sleep, (void *)(intptr_t)when));
}

/* ---- oneself ---- */

void ant_exit(void)
{
    struct ant__g *g = ant__self();
    struct ant__m *m;

    if (!g)
        ant__fatal("ant_exit outside of a goroutine: use pthread_exit or exit");
    ant__stay(g);
    ant__unwind_exit(g, __builtin_dwarf_cfa());
    m = ant__enter();
    if (m->g->id == 1 && ant__load_relaxed(&ant__sched.main_mode))
        ant__sched.main_exited = true;
    ant__g_finish(m);
}

uint64_t ant_id(void)
{
    struct ant__g *g = ant__self();

    return g ? g->id : 0;
}

int ant_lock_thread(void)
{
    struct ant__m *m = ant__enter();

    if (!m)
        return ANT_ENOTGOROUTINE;
    m->g->stack->lock_depth++;
    m->g->stack->locked_m = m;
    ant__g_set(m->g, ANT__G_LOCKED);
    m->locked_g = m->g;
    ant__leave(m);
    return 0;
}

int ant_unlock_thread(void)
{
    struct ant__m *m = ant__enter();
    int err = 0;

    if (!m)
        return ANT_ENOTGOROUTINE;
    if (m->g->stack->lock_depth == 0) {
        err = -EPERM;
    } else if (--m->g->stack->lock_depth == 0) {
        ant__g_clear(m->g, ANT__G_LOCKED);
        m->locked_g = NULL;
    }
    ant__leave(m);
    return err;
}

int ant_own_fenv(bool own)
{
    struct ant__g *g = ant__self();

    if (!g)
        return ANT_ENOTGOROUTINE;
    if (own) {
        ant__g_set(g, ANT__G_FENV);
    } else {
        ant__g_clear(g, ANT__G_FENV);
        ant__fenv_load(&ant__sched.fenv);
    }
    return 0;
}

void ant__g_clean(struct ant__g *g)
{
    struct ant__m *m;

    if (g->stack->locals)
        ant__locals_destroy(g->stack);
    if (ant__g_is(g, ANT__G_FENV))
        ant_own_fenv(false);
    m = ant__enter();
    if (g->stack->lock_depth > 0) {
        g->stack->lock_depth = 0;
        ant__g_clear(g, ANT__G_LOCKED);
        m->locked_g = NULL;
    }
    ant__leave(m);
}

/* ---- all of them ---- */

/* Calls fn(m, arg) with the runtime kept from stopping; ANT_ENOTRUNNING if it is not running. */
static int while_running(int (*fn)(struct ant__m *m, void *arg), void *arg)
{
    struct ant__m *m = ant__enter();
    int result;

    if (!m && !ant__foreign_enter())
        return ANT_ENOTRUNNING;
    result = fn(m, arg);
    if (m)
        ant__leave(m);
    else
        ant__foreign_leave();
    return result;
}

static int count(struct ant__m *m, void *arg)
{
    return ant__g_count();
}

int ant_count(void)
{
    int n = while_running(count, NULL);

    return n < 0 ? 0 : n;
}

static int procs(struct ant__m *m, void *arg)
{
    return ant__load_relaxed(&ant__sched.procs);
}

int ant_procs(void)
{
    int n = while_running(procs, NULL);

    return n < 0 ? 0 : n;
}

static int resize(struct ant__m *m, void *n)
{
    return ant__procs_resize(m, *(int *)n);
}

int ant_set_procs(int n)
{
    return n <= 0 || n > ANT__MAX_PROCS ? -EINVAL : while_running(resize, &n);
}

struct dump {
    int fd;
    const void *caller;
    int err;
};

static void dump_with_room(void *arg)
{
    struct dump *d = arg;

    d->err = ant__dump(d->fd, d->caller);
}

/* In user code, as it takes long and may block: others may run, pause and stop meanwhile. */
int ant_dump(int fd)
{
    struct dump d = {.fd = fd, .caller = __builtin_return_address(0)};
    struct ant__m *m = ant__enter();

    if (m)
        ant__leave(m);
    ant_blocking_begin();
    ant__with_room(dump_with_room, &d);
    ant_blocking_end();
    return d.err;
}

static int fill_stats(struct ant__m *m, void *arg)
{
    struct ant__sched *s = &ant__sched;
    ant_stats *stats = arg;

    *stats = (ant_stats){.procs = ant__load_relaxed(&s->procs),
                         .goroutines = ant__g_count(),
                         .created = ant__load_relaxed(&s->foreign_created),
                         .wakeups = ant__load_relaxed(&s->wakeups),
                         .timers = ant__timers_count()};
    ant__lock(&s->lock);
    stats->threads = s->ms;
    stats->idle_threads = s->idle_ms_n + s->stuck_ms_n;
    stats->runnable = s->global.n;
    ant__unlock(&s->lock);
    for (int i = 0; i < ant__load_acquire(&s->all_ps_n); i++) {
        struct ant__p *p = ant__p_at(i);

        stats->runnable += ant__runq_len(&p->runq) + (ant__load_relaxed(&p->runq.next) != NULL);
        stats->created += ant__load_relaxed(&p->created);
        stats->switches += ant__load_relaxed(&p->switches);
        stats->steals += ant__load_relaxed(&p->steals);
        stats->stolen += ant__load_relaxed(&p->stolen);
    }
    ant__stack_stats(stats);
    return 0;
}

int ant_stats_get(ant_stats *ret_stats)
{
    return ret_stats ? while_running(fill_stats, ret_stats) : -EINVAL;
}
