/* team.c - workers with a common limit: taking one, giving it back, retiring those too many.
 *
 * `running` counts the workers, busy and idle. It changes under the lock of a shard, any one, and
 * by compare-and-swap, so the limit holds at every moment: it is exceeded only when it was lowered
 * beneath it, and then until enough workers have finished.
 *
 * Rejected: one list of idle workers with one lock, as ants has it. Every submit and every end of a
 * task then meets on one cache line, which is what bounds ants' throughput.
 */
#include <errno.h>
#include <stdlib.h>

#include "pool/pool.h"

enum { MAX_SHARDS = 16, HANDFUL = 256 };

/* ---- shards ---- */

static uint32_t shards_for(const struct ant__pool *pool)
{
    uint32_t n = 1;

    /* A ring has room for all workers at once, which is dear to have several times. */
    while (!pool->options.prealloc && n < MAX_SHARDS && (int)n < ant_procs())
        n *= 2;
    return n;
}

static int shard_init(struct ant__shard *s, struct ant__team *team, int capacity)
{
    s->team = team;
    return team->pool->options.prealloc ? ant__idle_ring_init(&s->idle, (size_t)capacity)
                                        : ant__idle_stack_init(&s->idle, 0);
}

int ant__team_init(struct ant__team *team, struct ant__pool *pool, int index, int capacity)
{
    uint32_t n = shards_for(pool);
    int err = ant__alloc_aligned((void **)&team->shards, ANT__CACHE_LINE, n * sizeof *team->shards);

    team->pool = pool;
    team->index = index;
    team->capacity = capacity;
    team->shard_mask = n - 1;
    for (uint32_t i = 0; i < n && !err; i++)
        err = shard_init(&team->shards[i], team, capacity);
    if (err)
        ant__team_free(team);
    return err;
}

void ant__team_free(struct ant__team *team)
{
    for (uint32_t i = 0; team->shards && i <= team->shard_mask; i++) {
        ant__idle_free(&team->shards[i].idle);
        free(team->shards[i].ready.items);
    }
    free(team->shards);
    team->shards = NULL;
}

static struct ant__shard *shard_here(struct ant__m *m, const struct ant__team *team)
{
    return &team->shards[m ? (uint32_t)m->p->id & team->shard_mask : 0];
}

#define FOR_EACH_SHARD(s, team)                                                                    \
    for (struct ant__shard *s = (team)->shards; s <= &(team)->shards[(team)->shard_mask]; s++)

/* Two, or twice the same. */
static void lock_both(struct ant__shard *a, struct ant__shard *b)
{
    ant__lock(a < b ? &a->lock : &b->lock);
    if (a != b)
        ant__lock(a < b ? &b->lock : &a->lock);
}

static void unlock_both(struct ant__shard *a, struct ant__shard *b)
{
    ant__unlock(&a->lock);
    if (a != b)
        ant__unlock(&b->lock);
}

/* Whoever changes a shard's idle workers says so. */
static void tell_idle(struct ant__shard *s)
{
    ant__store_relaxed(&s->idle_n, (uint32_t)s->idle.len);
}

static struct ant__worker *pop(struct ant__shard *s)
{
    struct ant__worker *w = ant__idle_pop(&s->idle);

    if (w)
        tell_idle(s);
    return w;
}

int ant__team_idle(const struct ant__team *team)
{
    uint32_t n = 0;

    FOR_EACH_SHARD (s, team)
        n += ant__load_relaxed(&s->idle_n);
    return (int)n;
}

/* Does not look at the shards of others, who would have to fetch their cache lines back. */
bool ant__team_has_room(struct ant__m *m, const struct ant__team *team)
{
    int capacity = ant__load_relaxed(&team->capacity);

    return ant__load_relaxed(&shard_here(m, team)->idle_n) > 0 || capacity < 0 ||
           capacity > ant__load_relaxed(&team->running);
}

uint64_t ant__team_started(const struct ant__team *team)
{
    uint64_t n = 0;

    FOR_EACH_SHARD (s, team)
        n += ant__load_relaxed(&s->started);
    return n;
}

/* ---- the limit; all under a shard's lock ---- */

/* One more, which is to be made; or ANT_EOVERLOAD. */
static int add_one(struct ant__team *team)
{
    int n = ant__load_relaxed(&team->running);

    do {
        int capacity = ant__load_relaxed(&team->capacity);

        if (n == INT32_MAX || (capacity >= 0 && n >= capacity))
            return ANT_EOVERLOAD;
    } while (!atomic_compare_exchange_weak_explicit(&team->running, &n, n + 1, memory_order_relaxed,
                                                    memory_order_relaxed));
    return 0;
}

/* Takes up to n off, but not below the floor. Returns how many. */
static int take_off(struct ant__team *team, int n, int floor)
{
    int running = ant__load_relaxed(&team->running);

    do {
        if (n > running - floor)
            n = running - floor;
        if (n <= 0)
            return 0;
    } while (!atomic_compare_exchange_weak_explicit(&team->running, &running, running - n,
                                                    memory_order_relaxed, memory_order_relaxed));
    return n;
}

bool ant__team_has_too_many(const struct ant__team *team)
{
    int capacity = ant__load_relaxed(&team->capacity);

    return capacity >= 0 && ant__load_relaxed(&team->running) > capacity;
}

/* Down to how many workers the team is to go at once. */
static int limit_now(const struct ant__team *team)
{
    int capacity = ant__load_relaxed(&team->capacity);

    return ant__pool_is_closed(team->pool) ? 0 : capacity >= 0 ? capacity : INT32_MAX;
}

void ant__team_lose(struct ant__m *m, struct ant__team *team)
{
    struct ant__shard *s = shard_here(m, team);

    ant__lock(&s->lock);
    take_off(team, 1, 0);
    ant__unlock(&s->lock);
}

/* ---- taking ---- */

/* One worker more; the limit allows it, and it is counted. */
static int make(struct ant__m *m, struct ant__team *team, struct ant__worker **ret_worker)
{
    *ret_worker = ant__worker_new(team);
    if (*ret_worker)
        return 0;
    ant__team_lose(m, team);
    return -ENOMEM;
}

/* Moves half of the idle workers of another shard to the own one, if it may, and takes one.
 *
 * A submitter that looks for a worker in one shard after the other must not overlook those that
 * move. It has raised `waiting` before. If it has looked at `own` already, it held that lock before
 * us, so we see `waiting` raised, and move none. Otherwise it will find them in `own`. */
static struct ant__worker *take_from(struct ant__shard *own, struct ant__shard *other,
                                     const struct ant__pool *pool)
{
    struct ant__worker *w = NULL;

    lock_both(own, other);
    if (!ant__pool_is_closed(pool)) {
        if (own->idle.len == 0 &&
            (ant__load_relaxed(&pool->waiting) == 0 || ANT__MUTATED(MOVE_PAST_WAITING)))
            ant__idle_stack_split(&other->idle, &own->idle);
        tell_idle(other);
        w = pop(own->idle.len ? own : other);
    }
    unlock_both(own, other);
    return w;
}

static struct ant__worker *take_elsewhere(struct ant__team *team, struct ant__shard *own)
{
    struct ant__worker *w = NULL;

    FOR_EACH_SHARD (s, team) {
        if (s != own && ant__load_relaxed(&s->idle_n) > 0 && (w = take_from(own, s, team->pool)))
            break;
    }
    return w;
}

/* From the own shard, or a new one: then *ret_worker is NULL, and it is to be made. */
static int take_here(struct ant__team *team, struct ant__shard *own, bool look_elsewhere,
                     struct ant__worker **ret_worker)
{
    int err = 0;

    ant__lock(&own->lock);
    *ret_worker = NULL;
    if (ant__unlikely(ant__pool_is_closed(team->pool)))
        err = ANT_ECLOSED;
    else if (ant__unlikely(!(*ret_worker = pop(own))))
        err = look_elsewhere && ant__team_idle(team) > 0 ? -EAGAIN : add_one(team);
    ant__unlock(&own->lock);
    return err;
}

int ant__team_take(struct ant__m *m, struct ant__team *team, struct ant__worker **ret_worker)
{
    struct ant__shard *own = shard_here(m, team);
    int err = take_here(team, own, true, ret_worker);

    if (ant__unlikely(err == -EAGAIN)) {
        *ret_worker = take_elsewhere(team, own);
        err = *ret_worker ? 0 : take_here(team, own, false, ret_worker);
    }
    return err || ant__likely(*ret_worker != NULL) ? err : make(m, team, ret_worker);
}

int ant__team_take_sure(struct ant__m *m, struct ant__team *team, struct ant__worker **ret_worker)
{
    struct ant__shard *own = shard_here(m, team);
    int err;

    FOR_EACH_SHARD (s, team) {
        ant__lock(&s->lock);
        *ret_worker = pop(s);
        ant__unlock(&s->lock);
        if (*ret_worker)
            return 0;
    }
    ant__lock(&own->lock);
    err = add_one(team);
    ant__unlock(&own->lock);
    return err ? err : make(m, team, ret_worker);
}

/* ---- giving back ---- */

static bool somebody_minds(const struct ant__pool *pool)
{
    return ant__load_relaxed(&pool->waiting) > 0 || ant__load_relaxed(&pool->watching) > 0;
}

static bool lie_down(struct ant__m *m, struct ant__shard *s, struct ant__worker *w)
{
    struct ant__team *team = w->team;

    if (take_off(team, 1, limit_now(team)))
        return false;
    w->last_used = ant__now_coarse();
    if (ant__unlikely(ant__idle_push(&s->idle, w) != 0)) {
        take_off(team, 1, 0);
        return false;
    }
    tell_idle(s);
    ant__purge_expect(m, team->pool, w->last_used);
    return true;
}

bool ant__team_finish(struct ant__m *m, struct ant__worker *w, bool regardless,
                      struct ant__worker **ret_next)
{
    struct ant__shard *s = shard_here(m, w->team);
    bool minded;

    ant__lock(&s->lock);
    minded = !regardless && ant__unlikely(somebody_minds(w->team->pool));
    if (ant__likely(!minded)) {
        if (ant__unlikely(!lie_down(m, s, w)))
            ant__worker_free(w);
        if (ret_next && !(*ret_next = ant__ready_pop(&s->ready)))
            m->g->stack->name = NULL; /* who destroys the pool may free it from here on */
    }
    ant__unlock(&s->lock);
    return !minded;
}

/* ---- shifts ---- */

static int make_room(struct ant__ready *ready)
{
    return ant__likely(ant__ready_has_room(ready)) ? 0 : ant__ready_grow(ready);
}

/* The shard has ready workers, and needs a relief. */
static void need_relief(struct ant__m *m, struct ant__shard *s)
{
    int err;

    if (s->has_relief || s->ready.len == 0)
        return;
    s->has_relief = true;
    err = ant__shift_queue(m, s, NULL);
    if (err)
        ant__fatal("%s cannot go on: no memory for a goroutine (%s)",
                   s->team->pool->options.name ? s->team->pool->options.name : "a pool",
                   ant_strerror(err));
}

static int make_ready(struct ant__m *m, struct ant__shard *s, struct ant__worker *w, void *creator)
{
    int err = make_room(&s->ready);

    if (ant__unlikely(err))
        return err;
    ant__ready_push(&s->ready, w);
    if (ant__unlikely(!s->has_relief)) {
        err = ant__shift_queue(m, s, creator);
        if (err)
            ant__ready_unpush(&s->ready);
        else
            s->has_relief = true;
    } else if (s->ready.len == 2) {
        ant__wake_one(); /* more than one P may have work now */
    }
    return err;
}

int ant__team_start(struct ant__m *m, struct ant__worker *w, void *creator)
{
    struct ant__shard *s = shard_here(m, w->team);
    int err;

    ant__lock(&s->lock);
    err = make_ready(m, s, w, creator);
    if (!err && w->fn)
        ant__count(&s->started, 1);
    ant__unlock(&s->lock);
    return err;
}

int ant__team_submit(struct ant__m *m, struct ant__team *team, const struct ant__task *task)
{
    struct ant__shard *s = shard_here(m, team);
    struct ant__worker *w = NULL;
    int err = -EAGAIN;

    if (task->size > team->pool->room)
        return err;
    ant__lock(&s->lock);
    if (ant__unlikely(ant__pool_is_closed(team->pool))) {
        err = ANT_ECLOSED;
    } else if (ant__likely((w = pop(s)) != NULL)) {
        ant__worker_load(w, task);
        err = make_ready(m, s, w, task->creator);
        ant__count(&s->started, !err);
        if (ant__unlikely(err)) {
            ant__idle_push(&s->idle, w); /* to where it was, so the stamps stay in order */
            tell_idle(s);
        }
    }
    ant__unlock(&s->lock);
    return err;
}

bool ant__team_relieve(struct ant__m *m, struct ant__shard *s, bool regardless,
                       struct ant__worker **ret_first)
{
    struct ant__shard *own = shard_here(m, s->team);
    bool minded = false;

    lock_both(own, s);
    if (own != s && own->ready.len == 0)
        ant__ready_share(&s->ready, &own->ready);
    *ret_first = ant__ready_pop(own->ready.len ? &own->ready : &s->ready);
    if (!*ret_first)
        minded = !regardless && somebody_minds(s->team->pool);
    if (ant__likely(!minded)) {
        if (!*ret_first)
            m->g->stack->name = NULL; /* as above */
        s->has_relief = false;
        need_relief(m, s);
        need_relief(m, own);
    }
    unlock_both(own, s);
    return !minded;
}

/* ---- retiring ---- */

/* Retires up to n idle workers of a shard, the oldest first, but not below the floor. Returns how
 * many. */
static int retire(struct ant__team *team, struct ant__shard *s, size_t n, int floor)
{
    int off = take_off(team, n < HANDFUL ? (int)n : HANDFUL, floor);

    ant__workers_free(ant__idle_cut(&s->idle, (size_t)off));
    tell_idle(s);
    return off;
}

bool ant__team_drop_idle(struct ant__team *team)
{
    int n = 0;

    FOR_EACH_SHARD (s, team) {
        ant__lock(&s->lock);
        n += retire(team, s, s->idle.len, limit_now(team));
        ant__unlock(&s->lock);
    }
    return n > 0;
}

static int expire_some(struct ant__team *team, struct ant__shard *s, ant_time cutoff,
                       ant_time *oldest)
{
    int n;

    ant__lock(&s->lock);
    n = retire(team, s, ant__idle_expired(&s->idle, cutoff), team->pool->options.min_workers);
    if (n == 0 && s->idle.len > 0 && ant__idle_oldest(&s->idle)->last_used < *oldest)
        *oldest = ant__idle_oldest(&s->idle)->last_used;
    ant__unlock(&s->lock);
    return n;
}

uint64_t ant__team_expire(struct ant__team *team, ant_time cutoff, ant_time *oldest)
{
    uint64_t all = 0;
    int n;

    *oldest = ANT__NEVER;
    FOR_EACH_SHARD (s, team) {
        while ((n = expire_some(team, s, cutoff, oldest)) > 0)
            all += (uint64_t)n;
    }
    if (ant__load_relaxed(&team->running) <= team->pool->options.min_workers)
        *oldest = ANT__NEVER; /* those that are left stay */
    return all;
}

static bool wants_more(const struct ant__team *team)
{
    int capacity = ant__load_relaxed(&team->capacity), least = team->pool->options.min_workers;

    if (capacity >= 0 && capacity < least)
        least = capacity;
    return !ant__pool_is_closed(team->pool) && ant__load_relaxed(&team->running) < least;
}

/* One idle worker more. 0, -ENOMEM, ANT_EOVERLOAD: there are as many as there may be. */
static int add_idle(struct ant__team *team, struct ant__shard *s)
{
    struct ant__worker *w = ant__worker_new(team);
    int err;

    if (!w)
        return -ENOMEM;
    ant__lock(&s->lock);
    err = add_one(team);
    if (!err) {
        w->last_used = ant__now_coarse();
        err = ant__idle_push(&s->idle, w);
        if (err)
            take_off(team, 1, 0);
        tell_idle(s);
    }
    ant__unlock(&s->lock);
    if (err)
        ant__worker_free(w);
    return err;
}

void ant__team_pass(struct ant__team *team)
{
    FOR_EACH_SHARD (s, team) {
        ant__lock(&s->lock);
        ant__unlock(&s->lock);
    }
}

int ant__team_warm_up(struct ant__team *team, bool *ret_more)
{
    int err = 0;

    for (int i = 0; i < HANDFUL && !err && wants_more(team); i++)
        err = add_idle(team, team->shards);
    *ret_more = !err && wants_more(team);
    return err == ANT_EOVERLOAD ? 0 : err;
}

/* With all its locks nothing can change: then it is settled if all workers are idle, and nobody is
 * about to begin a shift. */
bool ant__team_settled(struct ant__team *team)
{
    bool settled = true;
    size_t idle = 0;

    FOR_EACH_SHARD (s, team) {
        ant__lock(&s->lock);
        idle += s->idle.len;
        settled &= !s->has_relief;
    }
    settled &= (int)idle == ant__load_relaxed(&team->running);
    FOR_EACH_SHARD (s, team)
        ant__unlock(&s->lock);
    return settled;
}
