/* line.c - finding a worker for a task, and those who wait for one.
 *
 * Who waits, waits in order: a submit does not pass those that came before it, and a worker that
 * has finished takes its next task from the head of the line. There may be a queue of tasks before
 * the line; then a submitter is blocked only while that is full, and a place that becomes free in
 * it is filled at once by the first of the blocked ones.
 *
 * A task that waits in the queue lies in a worker's record already. Whoever takes it over goes on
 * with that record and puts its own one by.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "pool/pool.h"

enum {
    LOOKED_AT = 100, /* of those in the line */
    RUN_ROOM = 256,  /* bytes of an argument that are copied without asking for memory */
    STAY = 16,       /* tasks for a team while others are full */
};

/* A submitter that is blocked. */
struct blocked {
    struct ant__waiting base;
    struct ant__pool *pool;
    struct ant__team *team; /* its choice */
    const struct ant__task *task;
    bool is_worker; /* of this pool */
    int err;
};

/* ---- whom to ask first ---- */

static struct ant__team *least_busy(struct ant__pool *pool)
{
    struct ant__team *best = NULL;
    int least = INT32_MAX;

    for (int i = 0; i < pool->teams_n; i++) {
        struct ant__team *team = &pool->teams[i];
        int busy = ant__load_relaxed(&team->running) - ant__team_idle(team);

        if (busy < least) {
            least = busy;
            best = team;
        }
    }
    return best;
}

/* The next one that at a glance has a worker at hand or room for one, if any has. */
static struct ant__team *with_room(struct ant__m *m, struct ant__pool *pool, struct ant__team *team)
{
    struct ant__team *at = team;

    do {
        if (ant__team_has_room(m, at))
            return at;
        at = at->index + 1 < pool->teams_n ? at + 1 : pool->teams;
    } while (at != team);
    return team;
}

/* Each P counts for itself: it is still each team's turn once in a round. A team that is full is
 * passed over, and then it stays the next one's turn for a while: else all the full ones would be
 * looked at for each task. */
static struct ant__team *next_in_turn(struct ant__m *m, struct ant__pool *pool)
{
    struct ant__turn *turn = &pool->turns[m ? m->p->id & (ANT__POOL_TURNS - 1) : 0];
    struct ant__team *wanted = &pool->teams[ant__load_relaxed(&turn->next)];
    struct ant__team *team = with_room(m, pool, wanted);
    int stay = team == wanted ? ant__load_relaxed(&turn->stay) - 1 : STAY;
    int next = stay > 0 ? team->index : team->index + 1;

    ant__store_relaxed(&turn->stay, stay > 0 ? stay : 0);
    ant__store_relaxed(&turn->next, next < pool->teams_n ? (uint32_t)next : 0);
    return team;
}

static struct ant__team *choose(struct ant__m *m, struct ant__pool *pool)
{
    if (ant__likely(pool->teams_n == 1))
        return pool->teams;
    return pool->strategy == ANT_LEAST_TASKS ? least_busy(pool) : next_in_turn(m, pool);
}

/* ---- taking from the line, under pool->lock ---- */

static void leave_line(struct blocked *b)
{
    ant__count(&b->pool->blocked_n, -1);
    ant__count(&b->team->blocked, -1);
    b->pool->blocked_workers -= b->is_worker;
    atomic_fetch_sub(&b->pool->waiting, 1);
}

/* The first of the blocked ones, whom the caller is to wake; NULL: there is none. One that gave up
 * meanwhile leaves the line by itself. */
static struct blocked *first_blocked(struct ant__pool *pool)
{
    struct ant__wait *wait = ant__queue_take(&pool->line);
    struct blocked *b = wait ? ant__container_of(wait, struct blocked, base.wait) : NULL;

    if (b)
        leave_line(b);
    return b;
}

static void enqueue(struct ant__pool *pool, struct ant__worker *w)
{
    w->next_queued = NULL;
    *pool->queued_end = w;
    pool->queued_end = &w->next_queued;
    pool->queued_n++;
    atomic_fetch_add(&pool->waiting, 1);
}

static struct ant__worker *dequeue(struct ant__pool *pool)
{
    struct ant__worker *w = pool->queued;

    pool->queued = w->next_queued;
    if (!pool->queued)
        pool->queued_end = &pool->queued;
    pool->queued_n--;
    atomic_fetch_sub(&pool->waiting, 1);
    return w;
}

/* Loads w with the task of the first of the blocked ones. False: there is none. */
static bool load_blocked(struct ant__pool *pool, struct ant__worker *w, struct ant__woken *woken)
{
    struct blocked *b;

    while ((b = first_blocked(pool))) {
        b->err = ant__worker_load(w, b->task);
        ant__woken_add(woken, &b->base.sleeper);
        if (!b->err)
            return true;
    }
    return false;
}

/* The worker as which the goroutine of w, which has no task, is to go on. */
static struct ant__worker *take_task(struct ant__worker *w, struct ant__woken *woken)
{
    struct ant__team *team = w->team;
    struct ant__pool *pool = team->pool;
    struct ant__worker *next;

    if (!pool->queued)
        return load_blocked(pool, w, woken) ? w : NULL;
    next = dequeue(pool);
    next->team = team;
    if (load_blocked(pool, w, woken))
        enqueue(pool, w);
    else
        ant__worker_free(w);
    return next;
}

/* How many are in the line, or how many workers of the pool; without those that have given up, but did
 * not run since. Of these, only the first ones are looked for: the line may be long. */
static int still_blocked(struct ant__pool *pool, bool workers_only)
{
    int n = workers_only ? pool->blocked_workers : ant__pool_waiting(pool);
    struct ant__wait *w = ant__queue_head(&pool->line);

    for (int i = 0; w && i < LOOKED_AT; w = w->next, i++) {
        const struct blocked *b = ant__container_of(w, struct blocked, base.wait);
        const struct ant__sleeper *s = &b->base.sleeper;

        n -= (b->is_worker || !workers_only) && s->several && ant__load_relaxed(&s->taken);
    }
    return n;
}

/* A worker has gone for good, or could not be replaced, since the limit was lowered. If all that are
 * left wait for a worker, one of them is told so. */
static void break_deadlock(struct ant__m *m, struct ant__pool *pool)
{
    struct ant__wait *wait = ant__queue_head(&pool->line);

    if (ant__likely(pool->blocked_workers == 0) ||
        pool->blocked_workers < ant__pool_running(pool) ||
        still_blocked(pool, true) < ant__pool_running(pool))
        return;
    for (; wait; wait = wait->next) {
        struct blocked *b = ant__container_of(wait, struct blocked, base.wait);

        if (b->is_worker && !b->base.done && ant__wait_take(wait)) {
            leave_line(b);
            b->err = ANT_EDEADLOCK;
            ant__wake(m, wait);
            return;
        }
    }
}

struct ant__worker *ant__line_next(struct ant__m *m, struct ant__worker *w)
{
    struct ant__pool *pool = w->team->pool;
    struct ant__worker *next = NULL;
    struct ant__woken woken = {0};

    if (ant__likely(ant__team_finish(m, w, false, &next)))
        return next;
    ant__lock(&pool->lock);
    if (!ant__team_has_too_many(w->team))
        next = take_task(w, &woken);
    if (next) {
        pool->handed_over++;
    } else {
        ant__team_finish(m, w, true, &next);
        break_deadlock(m, pool);
        ant__pool_tell_watchers(m, pool);
    }
    ant__unlock(&pool->lock);
    ant__wake_all(m, &woken);
    return next;
}

struct ant__worker *ant__line_first(struct ant__m *m, struct ant__shard *s)
{
    struct ant__pool *pool = s->team->pool;
    struct ant__worker *w;

    if (ant__likely(ant__team_relieve(m, s, false, &w)))
        return w;
    ant__lock(&pool->lock);
    ant__team_relieve(m, s, true, &w);
    ant__pool_tell_watchers(m, pool);
    ant__unlock(&pool->lock);
    return w;
}

static bool nobody_waits(struct ant__pool *pool)
{
    return !pool->queued && !ant__queue_head(&pool->line);
}

/* From any team, beginning with one's choice. For who has raised `waiting`, or who serves those
 * that did. */
static int take_any(struct ant__m *m, struct ant__pool *pool, int first,
                    struct ant__worker **ret_worker)
{
    int err = ANT_EOVERLOAD;

    for (int i = 0; i < pool->teams_n && err == ANT_EOVERLOAD; i++)
        err = ant__team_take_sure(m, &pool->teams[(first + i) % pool->teams_n], ret_worker);
    return err;
}

int ant__line_serve(struct ant__m *m, struct ant__pool *pool)
{
    int n = pool->queued_n + ant__pool_waiting(pool), err = 0;

    while (n-- > 0 && !err) {
        struct ant__worker *w;

        err = take_any(m, pool, 0, &w);
        if (err)
            break;
        w->fn = NULL; /* it will look in the line */
        err = ant__team_start(m, w, NULL);
        if (err)
            ant__team_finish(m, w, true, NULL);
    }
    break_deadlock(m, pool);
    return err == ANT_EOVERLOAD ? 0 : err;
}

struct ant__worker *ant__line_volunteer(struct ant__m *m, struct ant__pool *pool)
{
    struct ant__worker *w;

    if (nobody_waits(pool) || take_any(m, pool, 0, &w) != 0)
        return NULL;
    w->fn = NULL;
    return w;
}

void ant__line_clear(struct ant__pool *pool, int err, struct ant__woken *woken)
{
    struct blocked *b;

    while ((b = first_blocked(pool))) {
        b->err = err;
        ant__woken_add(woken, &b->base.sleeper);
    }
}

/* No worker who would serve the line when he has finished. Idle ones can be had, but could not be
 * started. */
static bool has_nobody(const struct ant__pool *pool)
{
    int busy = pool->handling;

    for (int i = 0; i < pool->teams_n; i++)
        busy += ant__load_relaxed(&pool->teams[i].running) - ant__team_idle(&pool->teams[i]);
    return busy <= 0;
}

/* If there is no memory for a worker or its goroutine, nor anybody who will serve the line later, the
 * blocked ones are told so. What was queued waits for the next call. Under pool->lock. */
int ant__line_serve_or_tell(struct ant__m *m, struct ant__pool *pool)
{
    struct ant__woken woken = {0};
    int err = ant__line_serve(m, pool);

    if (ant__unlikely(err) && has_nobody(pool)) {
        ant__line_clear(pool, err, &woken);
        ant__wake_all(m, &woken);
    }
    return err;
}

/* For those that were left in the line, as above. */
static int revive(struct ant__m *m, struct ant__pool *pool)
{
    return ant__unlikely(has_nobody(pool) && !nobody_waits(pool)) ? ant__line_serve_or_tell(m, pool)
                                                                  : 0;
}

/* A worker that was taken could not be made use of: others may have waited for it. w: to be given
 * back, or NULL: it is gone. */
static void undo_take(struct ant__m *m, struct ant__pool *pool, struct ant__worker *w)
{
    ant__lock(&pool->lock);
    if (w)
        ant__team_finish(m, w, true, NULL);
    ant__line_serve_or_tell(m, pool);
    ant__pool_tell_watchers(m, pool);
    ant__unlock(&pool->lock);
}

/* ---- standing in the line ---- */

static void unlock_blocked(struct ant__m *m, struct ant__waiting *base)
{
    ant__unlock(&ant__container_of(base, struct blocked, base)->pool->lock);
}

/* With pool->lock, and `waiting` raised; returns without the lock. */
static int block(struct ant__m **m, struct blocked *b, ant_ctx *ctx)
{
    struct ant__pool *pool = b->pool;

    ant__waiting_init(&b->base, *m, ant_ctx_done(ctx), unlock_blocked);
    if (!ant__waiting_join(&b->base)) {
        atomic_fetch_sub(&pool->waiting, 1);
        ant__unlock(&pool->lock);
        return ant_ctx_err(ctx);
    }
    ant__count(&pool->blocked_n, 1);
    ant__count(&b->team->blocked, 1);
    pool->blocked_workers += b->is_worker;
    ant__queue_push(&pool->line, &b->base.wait);
    if (ant__waiting_sleep(&b->base, m, ANT__WAIT_SUBMIT))
        return b->err;
    ant__lock(&pool->lock);
    ant__queue_remove(&b->base.wait);
    leave_line(b);
    ant__line_serve_or_tell(*m, pool); /* they may have waited only because we came first */
    ant__pool_tell_watchers(*m, pool);
    ant__unlock(&pool->lock);
    return ant_ctx_err(ctx);
}

static bool queue_has_room(struct ant__pool *pool)
{
    return pool->queued_n < pool->options.queue && !ant__queue_head(&pool->line);
}

/* Every worker of the pool waits for a worker of the pool. Who can give up does not count as
 * hanging. */
static bool would_hang(const struct blocked *b, ant_ctx *ctx)
{
    int others = ant__pool_running(b->pool) - 1;

    return b->is_worker && !ant_ctx_done(ctx) && b->pool->blocked_workers >= others &&
           still_blocked(b->pool, true) >= others;
}

static bool too_many_block(struct ant__pool *pool)
{
    int most = pool->options.max_blocking;

    return most > 0 && ant__pool_waiting(pool) >= most && still_blocked(pool, false) >= most;
}

static int why_not_block(const struct blocked *b, enum ant__when_full when_full, ant_ctx *ctx)
{
    if (when_full == ANT__FAIL || b->pool->options.nonblocking || too_many_block(b->pool))
        return ANT_EOVERLOAD;
    return would_hang(b, ctx) ? ANT_EDEADLOCK : 0;
}

static int queue_task(struct ant__pool *pool, struct ant__team *team, const struct ant__task *task)
{
    struct ant__worker *w = ant__worker_new(team);
    int err = w ? ant__worker_load(w, task) : -ENOMEM;

    if (!err)
        enqueue(pool, w);
    else if (w)
        ant__worker_free(w);
    return err;
}

static int begin(struct ant__m *m, struct ant__worker *w, const struct ant__task *task)
{
    int err = ant__worker_load(w, task);

    if (ant__likely(!err))
        err = ant__team_start(m, w, task->creator);
    if (ant__unlikely(err)) {
        ant__worker_unload(w);
        undo_take(m, w->team->pool, w);
    }
    return err;
}

/* No worker was found at once. `waiting` is raised first, so that none is overlooked: see
 * pool.h.
 *
 * The limit is looked at also if others wait: it may have been raised by more than they are, and those
 * have a worker each, on its way to them (ant__line_serve). So what is found belongs to nobody. */
static ant__noinline int stand_in_line(struct ant__m **m, struct ant__pool *pool,
                                       struct ant__team *team, const struct ant__task *task,
                                       enum ant__when_full when_full, ant_ctx *ctx,
                                       struct ant__worker **ret_worker)
{
    struct blocked b = {.pool = pool, .team = team, .task = task};
    int err = ANT_EOVERLOAD;

    ant__lock(&pool->lock);
    atomic_fetch_add(&pool->waiting, 1);
    if (ant__pool_is_closed(pool))
        err = ANT_ECLOSED;
    else if (nobody_waits(pool) || (err = revive(*m, pool)) == 0)
        err = take_any(*m, pool, team->index, ret_worker);
    if (err == ANT_EOVERLOAD && queue_has_room(pool)) {
        err = queue_task(pool, team, task);
    } else if (err == ANT_EOVERLOAD) {
        b.is_worker = ant__task_calls(*m, pool);
        err = why_not_block(&b, when_full, ctx);
        if (!err)
            return block(m, &b, ctx);
        if (err == ANT_EOVERLOAD && !pool->options.caller_runs)
            pool->rejected++;
    }
    atomic_fetch_sub(&pool->waiting, 1);
    ant__unlock(&pool->lock);
    return err;
}

static ant__always_inline int submit_to(struct ant__m *m, struct ant__team *team,
                                        const struct ant__task *task)
{
    struct ant__worker *w;
    int err = ant__team_submit(m, team, task);

    if (ant__likely(err != -EAGAIN))
        return err;
    err = ant__team_take(m, team, &w);
    if (!err)
        return begin(m, w, task);
    if (err == -ENOMEM)
        undo_take(m, team->pool, NULL);
    return err;
}

static ant__always_inline int submit(struct ant__m **m, struct ant__pool *pool,
                                     const struct ant__task *task, enum ant__when_full when_full,
                                     ant_ctx *ctx)
{
    struct ant__team *team = choose(*m, pool);
    struct ant__worker *w = NULL;
    int err = ANT_EOVERLOAD;

    if (ant__likely(ant__load_relaxed(&pool->waiting) == 0))
        err = submit_to(*m, team, task);
    if (err == ANT_EOVERLOAD)
        err = stand_in_line(m, pool, team, task, when_full, ctx, &w);
    return w ? begin(*m, w, task) : err; /* not in there, where the stack is deeper */
}

/* By option, if there is no worker: as if the caller had called the function itself. */
static void run_at(struct ant__pool *pool, const struct ant__task *task, void *copy)
{
    atomic_fetch_add_explicit(&pool->in_place, 1, memory_order_relaxed);
    task->fn(copy ? memcpy(copy, task->arg, task->size) : (void *)task->arg);
}

static ant__noinline int run_in_place(struct ant__pool *pool, const struct ant__task *task)
{
    _Alignas(16) char room[RUN_ROOM];
    void *copy;
    int err = 0;

    if (task->size <= sizeof room) {
        run_at(pool, task, task->size ? room : NULL);
        return 0;
    }
    err = ant__pool_alloc(&copy, task->size);
    if (!err) {
        ANT_DEFER(free, copy);
        run_at(pool, task, copy);
    }
    return err;
}

int ant__pool_submit(struct ant__pool *pool, const struct ant__task *task,
                     enum ant__when_full when_full, ant_ctx *ctx)
{
    struct ant__m *m;
    int err;

    if (ant__unlikely(!pool))
        return -EINVAL;
    if (ant__unlikely(!task->fn || (task->size && !task->arg)))
        return ant__pool_is_closed(pool) ? ANT_ECLOSED : -EINVAL;
    if (ant__unlikely(ctx != NULL) && (err = ant_ctx_err(ctx)))
        return err;
    m = ant__enter();
    err = submit(&m, pool, task, when_full, ctx);
    ant__leave_any(m);
    if (ant__unlikely(err == ANT_EOVERLOAD || err == ANT_EDEADLOCK) && pool->options.caller_runs)
        return run_in_place(pool, task);
    return err;
}

/* ---- watching ---- */

struct watcher {
    struct ant__waiting base;
    struct ant__pool *pool;
    uint64_t life; /* whose end it waits for, or ANT__ANY_LIFE */
    int err;
};

static void unlock_watcher(struct ant__m *m, struct ant__waiting *base)
{
    ant__unlock(&ant__container_of(base, struct watcher, base)->pool->lock);
}

static bool settled(struct ant__pool *pool)
{
    /* Of those that give up, some have left the queue, but not the count. */
    bool all = nobody_waits(pool) && ant__pool_waiting(pool) == 0 && pool->handling == 0;

    for (int i = 0; i < pool->teams_n && all; i++)
        all = ant__team_settled(&pool->teams[i]);
    return all;
}

void ant__pool_tell_watchers(struct ant__m *m, struct ant__pool *pool)
{
    struct ant__woken woken = {0};
    struct ant__wait *w;

    if (ant__likely(!ant__queue_head(&pool->watchers)) || !settled(pool))
        return;
    while ((w = ant__queue_take(&pool->watchers)))
        ant__woken_add(&woken, w->sleeper);
    ant__wake_all(m, &woken);
}

void ant__pool_begin_life(struct ant__m *m, struct ant__pool *pool)
{
    struct ant__woken woken = {0};
    struct ant__wait *wait = ant__queue_head(&pool->watchers), *next;

    pool->lives++;
    for (; wait; wait = next) {
        struct watcher *w = ant__container_of(wait, struct watcher, base.wait);

        next = wait->next;
        if (w->life == ANT__ANY_LIFE || !ant__wait_take(wait))
            continue;
        w->err = ANT_EREBOOTED;
        ant__woken_add(&woken, wait->sleeper);
    }
    ant__wake_all(m, &woken);
}

/* With pool->lock, and `watching` raised; returns with the lock. */
static int watch(struct ant__m **m, struct ant__pool *pool, uint64_t life, ant_ctx *ctx)
{
    struct watcher w = {.pool = pool, .life = life};
    bool told;

    ant__waiting_init(&w.base, *m, ant_ctx_done(ctx), unlock_watcher);
    if (!ant__waiting_join(&w.base))
        return ant_ctx_err(ctx);
    ant__queue_push(&pool->watchers, &w.base.wait);
    told = ant__waiting_sleep(&w.base, m, ANT__WAIT_POOL);
    ant__lock(&pool->lock);
    if (told)
        return w.err;
    ant__queue_remove(&w.base.wait);
    return ant_ctx_err(ctx);
}

static int wait_for(struct ant__pool *pool, uint64_t life, bool may_wait, ant_ctx *ctx)
{
    struct ant__m *m = ant__enter();
    int err = 0;

    if (ant__worker_calls(m, pool)) {
        ant__leave(m);
        return ANT_EDEADLOCK;
    }
    ant__lock(&pool->lock);
    atomic_fetch_add(&pool->watching, 1);
    revive(m, pool);
    if (life != ANT__ANY_LIFE && life != pool->lives)
        err = ANT_EREBOOTED;
    else if (!settled(pool))
        err = may_wait ? watch(&m, pool, life, ctx) : ANT_ETIMEOUT;
    atomic_fetch_sub(&pool->watching, 1);
    ant__unlock(&pool->lock);
    ant__leave_any(m);
    return err;
}

int ant__pool_wait(struct ant__pool *pool, uint64_t life, ant_ctx *ctx)
{
    return wait_for(pool, life, true, ctx);
}

int ant__pool_look_settled(struct ant__pool *pool, uint64_t life)
{
    return wait_for(pool, life, false, NULL);
}
