/* pool.h - the map of the pools.
 *
 * Glossary
 *   pool    what the user holds: ant_pool, ant_func_pool and the multi pools are all this. They
 *           differ in what a worker runs, and in how many teams there are.
 *   team    workers with a common limit: a pool has one, a multi pool several.
 *   worker  the right to run a task, and a record in which the task lies. It is idle; or ready: it
 *           has a task; or it works, in a goroutine. Only then it has a stack.
 *   shift   what a goroutine does for a pool: it works as one worker after the other, for as long
 *           as there are ready ones.
 *   shard   the idle and the ready workers of a team, one shard for each P, so that submitters and
 *           workers on different Ps do not meet. Who finds nothing in its own takes from others.
 *   line    those who wait for a worker, in order: first tasks that were queued (by option), then
 *           submitters that are blocked.
 *   watcher who waits until no task is left.
 *   settled no task runs or waits, and no panic is being handled.
 *
 * The way of a task. Submit takes an idle worker, or a new one if there may be more, puts the task
 * into its record, and makes it ready. When the task has returned, the worker takes the next one
 * from the line, if there is one; else it becomes idle, and its goroutine goes on as the next ready
 * worker, or ends.
 *
 * Shifts. While a shard has ready workers there is a goroutine, `relief`, that waits in a run queue
 * to begin its shift there. It takes a worker; and if there are more, it first sees to it that the
 * next relief is queued. So if the task parks, the next one on the P is the relief, and takes the
 * next worker: tasks that wait cost a goroutine each. Tasks that do not wait are done one after the
 * other by the same goroutine, and cost a lock and a few moves. A relief may be stolen by another
 * P, as goroutines are: it then takes half of the ready workers along. After so many tasks as a P
 * runs goroutines without looking around, a shift is interrupted by a yield.
 *
 * Waiting without loss. A submitter that finds no worker takes the pool's lock, raises `waiting`,
 * and then looks at all shards, taking the lock of each, and last at the limit; only if there is
 * nothing does it sleep. A worker that has finished takes the lock of its shard and reads `waiting`
 * under it; if it is 0 the worker becomes idle, or goes, under the same lock. So either the
 * submitter takes that lock later and finds the worker, or its limit; or it took it before, and
 * then the worker sees `waiting` raised: and goes to the line instead, under the pool's lock. The
 * same holds for watchers and `watching`. Idle workers move from shard to shard only while `waiting`
 * is 0, which is read under both locks: otherwise they could pass the submitter that looks. Whoever
 * adds idle workers does so under the pool's lock: the submitter looks before that, or after. The
 * model is tests/models/line.pml.
 *
 * Nobody is left behind. Letting go of the shard's lock (or of the pool's) is the last that a
 * worker does to its pool. Who destroys a pool waits until it is settled, for which it takes all
 * locks.
 *
 * Closed. The pool's state is changed under its lock, and read under the lock of a shard by who
 * takes or gives back a worker. Release changes it and then goes through all shards: what comes
 * after it sees the new state, what came before is counted.
 *
 * Whoever takes one of the locks is inside of the runtime (ant__enter), where nobody can make it
 * wait. Locks: pool -> shards, in the order of their addresses -> records, and the runtime's locks
 * (see runtime.h).
 */
#ifndef ANT_POOL_POOL_H
#define ANT_POOL_POOL_H

#include <anthill/multipool.h>
#include <anthill/pool.h>

#include "pool/idle.h"
#include "pool/ready.h"
#include "sync/sleep.h"

enum ant__pool_state { ANT__POOL_OPEN, ANT__POOL_CLOSED };

struct ant__task {
    void (*fn)(void *);
    const void *arg;
    size_t size; /* > 0: a copy of so many bytes at arg is passed, not arg */
    void *creator;
};

struct ant__shard {
    struct ant__lock lock;
    bool has_relief;          /* ready is not empty: it has */
    _Atomic uint32_t idle_n;  /* idle.len, for a look without the lock */
    _Atomic uint64_t started; /* tasks, from here */
    struct ant__team *team;
    struct ant__ready ready;
    struct ant__idle idle;
} ant__aligned_line;

struct ant__team {
    struct ant__pool *pool;
    int index;
    uint32_t shard_mask;
    _Atomic int capacity; /* -1: no limit; changed under the pool's lock */
    _Atomic int running;  /* workers, idle ones too; changed under a shard's lock */
    _Atomic int blocked;  /* submitters whose choice this team was; changed under the pool's lock */
    struct ant__shard *shards;
} ant__aligned_line;

/* Whose turn it is, for round robin. */
struct ant__turn {
    _Atomic uint32_t next;
    _Atomic int stay; /* it stays so for so many tasks */
} ant__aligned_line;

enum { ANT__POOL_TURNS = 16 };

struct ant__pool {
    /* Settled when it is made. */
    ant_pool_options options;
    void (*fn)(void *); /* of a function pool */
    size_t room;        /* in a worker's record; of a function pool: the size of its argument */
    int stack_class;
    int strategy;
    ant_duration patience; /* so long after its stamp an idle worker is retired */
    uint64_t run;          /* of the runtime */
    int teams_n;
    struct ant__team *teams;

    /* Read with each task, and seldom changed: under the lock. */
    _Atomic int state ant__aligned_line;
    _Atomic int waiting;   /* blocked and queued ones, and such as are about to be either */
    _Atomic int watching;  /* in the queue of watchers */
    _Atomic bool purge_on; /* the timer is started, or purging is due */

    struct ant__lock lock ant__aligned_line;
    struct ant__queue line, watchers;
    struct ant__worker *queued, **queued_end;
    int queued_n;
    _Atomic int blocked_n;
    int blocked_workers; /* of the blocked ones, workers of this pool */
    int handling;        /* workers that are gone, but whose panic is being handled */
    uint64_t lives;      /* how often it was opened again */
    uint64_t handed_over, rejected, panicked, expired;
    _Atomic uint64_t in_place; /* tasks that their submitters ran; not under the lock */

    /* See purge.c, and its lock. */
    struct ant__timer purge_timer;
    struct ant__pool *next_due, **link_due; /* link_due is NULL: it is not due */
    bool being_purged;

    struct ant__lock records_lock;
    struct ant__worker *all;   /* records, in whatever use */
    struct ant__worker *spare; /* in none, by next */
    ant_time spare_since;      /* when one was last put by there */

    struct ant__turn turns[]; /* of a multi pool: one for each P */
};

/* ---- worker.c ---- */

/* A record; NULL: no memory. Freeing puts it by for the next one. */
struct ant__worker *ant__worker_new(struct ant__team *team);
void ant__worker_free(struct ant__worker *w);
void ant__workers_free(struct ant__worker *list); /* by next */
/* Strikes up to n spare records off, which are the caller's then: a list by next. */
struct ant__worker *ant__workers_take_spare(struct ant__pool *pool, int n);
/* Puts the task into the record. 0, -ENOMEM. */
int ant__worker_load(struct ant__worker *w, const struct ant__task *task);
void ant__worker_unload(struct ant__worker *w); /* what there is to free of it */
/* Queues a goroutine that will work on the shard. m: as from ant__enter. 0 or an error. */
int ant__shift_queue(struct ant__m *m, struct ant__shard *s, void *creator);
/* Whether the calling goroutine runs a task of this pool, or handles the panic of one; only the
 * first. */
bool ant__worker_calls(struct ant__m *m, const struct ant__pool *pool);
bool ant__task_calls(struct ant__m *m, const struct ant__pool *pool);

/* ---- team.c ---- */

int ant__team_init(struct ant__team *team, struct ant__pool *pool, int index, int capacity);
void ant__team_free(struct ant__team *team);
/* The whole of a submit, if there is an idle worker at hand and the argument fits. 0, ANT_ECLOSED,
 * -EAGAIN: try another way. */
int ant__team_submit(struct ant__m *m, struct ant__team *team, const struct ant__task *task);
/* Takes a worker. 0, ANT_ECLOSED, ANT_EOVERLOAD: all are busy, -ENOMEM. */
int ant__team_take(struct ant__m *m, struct ant__team *team, struct ant__worker **ret_worker);
/* The same for who has raised pool->waiting, and must overlook nothing, or serves such as have;
 * also if the pool is closed. Under pool->lock. */
int ant__team_take_sure(struct ant__m *m, struct ant__team *team, struct ant__worker **ret_worker);
/* Makes w ready: it has a task, or none (fn is NULL), and will look for one in the line. 0 or an
 * error, and w is still the caller's. */
int ant__team_start(struct ant__m *m, struct ant__worker *w, void *creator);
/* The relief of s begins its shift. *ret_first: as whom, or NULL: there is nothing left to do.
 * False, and nothing is done: there is nothing to do, but somebody is waiting or watching. */
bool ant__team_relieve(struct ant__m *m, struct ant__shard *s, bool regardless,
                       struct ant__worker **ret_first);
/* w has finished: it becomes idle, or goes if there are too many or the pool is closed; *ret_next
 * is the worker as which to go on, or NULL. False, and nothing is done: somebody is waiting or
 * watching. Without ret_next nobody goes on. */
bool ant__team_finish(struct ant__m *m, struct ant__worker *w, bool regardless,
                      struct ant__worker **ret_next);
bool ant__team_has_too_many(const struct ant__team *team);
void ant__team_lose(struct ant__m *m, struct ant__team *team); /* a worker is gone */
/* Retires idle workers that exceed the limit, or any if the pool is closed, but not more than a
 * handful of each shard. True: there may be more. */
bool ant__team_drop_idle(struct ant__team *team);
/* Returns when each worker that has read the former state or limit has acted on it. */
void ant__team_pass(struct ant__team *team);
/* Adds a handful of idle workers, if the team has fewer than its least number. Under pool->lock;
 * then the line must be served. *ret_more: some are missing still. 0, -ENOMEM. */
int ant__team_warm_up(struct ant__team *team, bool *ret_more);
bool ant__team_settled(struct ant__team *team);
/* Retires who is idle since the cutoff; returns how many. *oldest: of those that are left. */
uint64_t ant__team_expire(struct ant__team *team, ant_time cutoff, ant_time *oldest);
int ant__team_idle(const struct ant__team *team); /* a glance, as the next three */
bool ant__team_has_room(struct ant__m *m, const struct ant__team *team); /* where we are */
int ant__team_free_slots(const struct ant__team *team);
uint64_t ant__team_started(const struct ant__team *team); /* tasks */

/* ---- line.c ---- */

enum ant__when_full { ANT__WAIT, ANT__FAIL };

/* Finds a worker for the task, or a place in the line. The whole of submit and invoke. */
int ant__pool_submit(struct ant__pool *pool, const struct ant__task *task,
                     enum ant__when_full when_full, ant_ctx *ctx);
/* w has finished its task; or a shift begins at s. Both return the worker as which to go on, or
 * NULL: then neither w nor s nor the pool may be touched any more. */
struct ant__worker *ant__line_next(struct ant__m *m, struct ant__worker *w);
struct ant__worker *ant__line_first(struct ant__m *m, struct ant__shard *s);
/* A worker, with a task from the line, as which to go on; NULL: nobody waits, or none can be had.
 * Under pool->lock. */
struct ant__worker *ant__line_volunteer(struct ant__m *m, struct ant__pool *pool);
/* There may be workers for some in the line: starts goroutines for them. Under pool->lock. 0, or an
 * error: one could not be started. */
int ant__line_serve(struct ant__m *m, struct ant__pool *pool);
/* The same. If there is no memory, nor anybody who will serve the line later, the blocked ones are
 * told. */
int ant__line_serve_or_tell(struct ant__m *m, struct ant__pool *pool);
/* Sends all blocked ones away, with err. Under pool->lock; whom to wake is added to *woken. */
void ant__line_clear(struct ant__pool *pool, int err, struct ant__woken *woken);
/* Waits until the pool is settled, in the given life, or ANT__ANY_LIFE. 0; ANT_ECANCELED;
 * ANT_ETIMEOUT; ANT_EREBOOTED: that life is over; ANT_EDEADLOCK: a task of the pool itself called. */
#define ANT__ANY_LIFE UINT64_MAX
int ant__pool_wait(struct ant__pool *pool, uint64_t life, ant_ctx *ctx);
/* The same without waiting: ANT_ETIMEOUT if it is not settled. */
int ant__pool_look_settled(struct ant__pool *pool, uint64_t life);
/* Something was done after which it may be settled. Under pool->lock. */
void ant__pool_tell_watchers(struct ant__m *m, struct ant__pool *pool);
/* The pool's next life begins: nobody waits for the end of the last one any longer. Under
 * pool->lock. */
void ant__pool_begin_life(struct ant__m *m, struct ant__pool *pool);

/* ---- purge.c ---- */

/* A worker has become idle at `now`: see that it is looked after. Under its shard's lock. */
void ant__purge_expect(struct ant__m *m, struct ant__pool *pool, ant_time now);
void ant__purge_init(struct ant__pool *pool);
/* The pool is closed. Purging may still be going on. Under pool->lock. */
void ant__purge_stop(struct ant__m *m, struct ant__pool *pool);
/* The pool is about to be freed. False: it is being purged at this moment. */
bool ant__purge_forget(struct ant__pool *pool);

/* ---- life.c ---- */

struct ant__pool_plan {
    int teams;
    int capacity; /* of each */
    int strategy;
    bool with_fn;
    void (*fn)(void *);
    size_t arg_size;
    const ant_pool_options *options;
};

int ant__pool_new(struct ant__pool **ret_pool, const struct ant__pool_plan *plan);
int ant__pool_release(struct ant__pool *pool);
int ant__pool_release_timeout(struct ant__pool *pool, ant_duration timeout);
int ant__pool_release_ctx(struct ant__pool *pool, ant_ctx *ctx);
int ant__pool_reboot(struct ant__pool *pool);
int ant__pool_destroy(struct ant__pool *pool);
int ant__pool_tune(struct ant__pool *pool, int capacity);
int ant__pool_stats(struct ant__pool *pool, ant_pool_stats *ret_stats);
int ant__pool_running(const struct ant__pool *pool);
int ant__pool_free_slots(const struct ant__pool *pool);
int ant__pool_waiting(const struct ant__pool *pool);
int ant__pool_cap(const struct ant__pool *pool);

static inline bool ant__pool_is_closed(const struct ant__pool *pool)
{
    return ant__load_acquire(&pool->state) == ANT__POOL_CLOSED;
}

#endif
