/* record.c - taking down where all goroutines are, while they run on.
 *
 * To walk a stack takes ten microseconds, so a pause in which all stacks are walked would take seconds.
 * Only the running ones are recorded in a pause: that they run is all that can be said of them. In the
 * pause each M gets the claim RECORD, too. From then on g0 records each goroutine before it lets it run
 * on, unless that was done; and goroutines that end or suspend go to g0, not straight to the next one.
 * Meanwhile the one who dumps walks through all Gs and records those whose turn has not come. So each
 * is recorded as it was in the pause, but for one thing: who waited may be runnable by now.
 *
 * A mark beside each G says who is at it: UNSEEN to BEING_SEEN is a compare-and-swap, and g0 runs no G
 * whose mark is not SEEN. So a G that is not free while somebody has its mark at BEING_SEEN is at rest,
 * and so is its stack: it did not run in the pause, or was made since, and cannot run yet. One that is
 * free may be made meanwhile, and is left alone.
 *   - A G that is made after the pause has a number that was not given out in the pause, as the Ps lose
 *     the rest of the numbers that they had at hand. It is not recorded.
 *   - Plain threads are not paused. A G that one of them was making in the pause has an older number,
 *     and is recorded if it is published (its state, release) before we come by, or when it begins.
 *   - An M that read the claim may still be recording when we have been through. `busy` counts those.
 *     It is raised before they look at `records`, and we wait for it after we took that away.
 *
 * Goroutines with the same stack become one record. A program has few different ones, so there is a
 * table, and the memory for it comes in chunks, not from malloc.
 */
#include "runtime/record.h"

#include <errno.h>
#include <string.h>

#include "runtime/frames.h"

enum { UNSEEN, BEING_SEEN, SEEN }; /* marks */

enum {
    CHUNK = 256 << 10,
    NAME = 1000, /* bytes of it, at most */
};

struct ant__chunk {
    struct ant__chunk *next;
};

static struct {
    struct ant__lock lock; /* one at a time */
    _Atomic(struct ant__records *) records;
    uint64_t first_new; /* the number from which on goroutines were made after the pause */
    _Atomic int busy;
} recording;

_Atomic int64_t ant__record_paused;

/* ---- one goroutine ---- */

static const char *reason_name(uint8_t reason)
{
    switch (reason) {
    case ANT__WAIT_SLEEP:
        return "sleep";
    case ANT__WAIT_WAITGROUP:
        return "waitgroup wait";
    case ANT__WAIT_SEND:
        return "chan send";
    case ANT__WAIT_RECV:
        return "chan receive";
    case ANT__WAIT_SEND_NULL:
        return "chan send (NULL channel)";
    case ANT__WAIT_RECV_NULL:
        return "chan receive (NULL channel)";
    case ANT__WAIT_SELECT:
        return "select";
    case ANT__WAIT_SELECT_NULL:
        return "select (no cases)";
    case ANT__WAIT_MUTEX:
        return "mutex lock";
    case ANT__WAIT_RWMUTEX:
        return "rwmutex lock";
    case ANT__WAIT_COND:
        return "cond wait";
    case ANT__WAIT_SEM:
        return "semaphore acquire";
    case ANT__WAIT_SUBMIT:
        return "pool submit (it is full)";
    case ANT__WAIT_POOL:
        return "pool wait (for its tasks)";
    case ANT__WAIT_READ:
        return "IO wait, to read";
    case ANT__WAIT_WRITE:
        return "IO wait, to write";
    }
    return "waiting";
}

static const char *state_name(const struct ant__g *g, uint8_t state)
{
    switch (state) {
    case ANT__G_RUNNABLE:
        return "runnable";
    case ANT__G_RUNNING:
        return "running";
    case ANT__G_WAITING:
        return reason_name(g->reason);
    }
    return "ended";
}

static const char *name_of(const struct ant__g *g)
{
    if (g->stack)
        return g->stack->name;
    return ant__g_is(g, ANT__G_ANNEX) ? ((const struct ant__annex *)g->arg)->name : NULL;
}

/* All but the stack. */
static void describe(const struct ant__g *g, struct ant__record *r)
{
    static void *no_frames[1];
    uint8_t state = ant__load_relaxed(&g->state);

    *r = (struct ant__record){
        .state = state_name(g, state),
        .waits = state == ANT__G_WAITING,
        .tied = ant__g_is(g, ANT__G_LOCKED) != 0,
        .entry = (void *)g->fn,
        .creator = g->creator,
        .count = 1,
        .parent = g->parent ? g->id + (uint64_t)(int64_t)g->parent : 0,
        .shown[0] = {.id = g->id, .name = name_of(g)},
        .frames = no_frames,
    };
    if (r->waits && ant__now() > g->stack->since)
        r->shortest = r->longest = ant__now() - g->stack->since;
}

struct walk {
    void **frames;
    int n;
};

static void collect(void *arg)
{
    struct walk *w = arg;

    w->n = ant__frames(w->frames, ANT__RECORD_FRAMES);
}

/* Without those of ours: the first `above`, and ant__g_main and ant__switch_begin at the end, if the walk
 * came so far. */
static void take_frames(struct ant__record *r, const struct walk *w, int above)
{
    int n = w->n;

    while (n > above && ant__is_bottom_frame(w->frames[n - 1]))
        n--;
    r->frames = w->frames + above;
    r->frames_n = n > above ? n - above : 0;
}

static void record_own(const struct ant__g *g, const void *caller, struct ant__record *r,
                       void **frames)
{
    struct walk w = {.frames = frames};

    describe(g, r);
    collect(&w);
    take_frames(r, &w, ant__frames_of_ours(w.frames, w.n, caller));
}

void ant__record_one(const struct ant__g *g, struct ant__record *r, void **frames)
{
    struct walk w = {.frames = frames};

    if (g == ant__self()) {
        record_own(g, NULL, r, frames);
        return;
    }
    describe(g, r);
    if (g->stack && ant__load_relaxed(&g->state) != ANT__G_RUNNING)
        ant__unwind_from(g->sp, collect, &w);
    take_frames(r, &w, 2); /* collect and ant__unwind_from */
}

/* ---- the table ---- */

/* NULL: there is no memory. Under r->lock. */
static void *take_room(struct ant__records *r, size_t size)
{
    void *memory;

    size = (size + 15) & ~(size_t)15;
    if (size > r->room) {
        struct ant__chunk *chunk;

        if (ant__map(&memory, CHUNK) != 0)
            return NULL;
        chunk = memory;
        chunk->next = r->chunks;
        r->chunks = chunk;
        r->free = (char *)chunk + 16;
        r->room = CHUNK - 16;
    }
    memory = r->free;
    r->free += size;
    r->room -= size;
    return memory;
}

static uint64_t hash(const struct ant__record *of)
{
    uint64_t h = (uintptr_t)of->state ^ (uintptr_t)of->entry ^ (uintptr_t)of->creator << 20;

    for (int i = 0; i < of->frames_n; i++)
        h = (h ^ (uintptr_t)of->frames[i] ^ h >> 29) * 0x9e3779b97f4a7c15u;
    return h >> 40;
}

static bool same(const struct ant__record *a, const struct ant__record *b)
{
    return a->state == b->state && a->tied == b->tied && a->entry == b->entry &&
           a->creator == b->creator && a->frames_n == b->frames_n &&
           memcmp(a->frames, b->frames, (size_t)a->frames_n * sizeof *a->frames) == 0;
}

static const char *keep_name(struct ant__records *r, const char *name)
{
    size_t length = name ? strnlen(name, NAME) : 0;
    char *copy = name ? take_room(r, length + 1) : NULL;

    if (copy) {
        memcpy(copy, name, length);
        copy[length] = '\0';
    }
    return copy;
}

/* Another one that is the same as r. */
static void join(struct ant__records *all, struct ant__record *r, const struct ant__record *seen)
{
    if (r->count < ANT__RECORD_SHOWN) {
        r->shown[r->count].id = seen->shown[0].id;
        r->shown[r->count].name = keep_name(all, seen->shown[0].name);
    }
    r->count++;
    if (seen->parent != r->parent)
        r->parent = 0;
    if (seen->shortest < r->shortest)
        r->shortest = seen->shortest;
    if (seen->longest > r->longest)
        r->longest = seen->longest;
}

static bool append(struct ant__records *all, struct ant__record **bucket,
                   const struct ant__record *seen)
{
    size_t size = (size_t)seen->frames_n * sizeof *seen->frames;
    struct ant__record *r = take_room(all, sizeof *r + size);

    if (!r)
        return false;
    *r = *seen;
    r->shown[0].name = keep_name(all, seen->shown[0].name);
    r->frames = memcpy(r + 1, seen->frames, size);
    r->next_in_bucket = *bucket;
    *bucket = r;
    r->next = NULL;
    *all->end = r;
    all->end = &r->next;
    return true;
}

static void add(struct ant__records *all, const struct ant__record *seen)
{
    struct ant__record **bucket = &all->buckets[hash(seen) % ANT__RECORD_BUCKETS], *r;

    ant__lock(&all->lock);
    for (r = *bucket; r && !same(r, seen); r = r->next_in_bucket)
        continue;
    if (r)
        join(all, r, seen);
    else if (!append(all, bucket, seen))
        all->lost++;
    ant__unlock(&all->lock);
}

static void begin_records(struct ant__records *r)
{
    r->end = &r->first;
    r->goroutines = ant__g_count();
    r->procs = ant__load_relaxed(&ant__sched.procs);
}

void ant__records_free(struct ant__records *r)
{
    while (r->chunks) {
        struct ant__chunk *chunk = r->chunks;

        r->chunks = chunk->next;
        ant__unmap(chunk, CHUNK);
    }
    ant__unmap(r, sizeof *r);
}

/* ---- while they run on ---- */

/* False: g is free, or somebody is at it, or was. */
static bool record_unseen(struct ant__records *r, struct ant__g *g, _Atomic uint8_t *mark)
{
    uint8_t unseen = UNSEEN;
    void *frames[ANT__RECORD_FRAMES];
    struct ant__record seen;

    if (!atomic_compare_exchange_strong(mark, &unseen, BEING_SEEN))
        return false;
    if (ant__load_acquire(&g->state) == ANT__G_FREE) {
        ant__store_release(mark, UNSEEN);
        return false;
    }
    if (g->id < recording.first_new) {
        ant__record_one(g, &seen, frames);
        add(r, &seen);
    }
    ant__store_release(mark, SEEN);
    return true;
}

void ant__record_before(struct ant__g *g)
{
    struct ant__records *r;
    int spins = 0;

    atomic_fetch_add(&recording.busy, 1);
    r = atomic_load(&recording.records);
    if (r) {
        _Atomic uint8_t *mark = ant__g_mark(g);

        while (ant__load_acquire(mark) != SEEN && !record_unseen(r, g, mark))
            ant__back_off(&spins);
    }
    atomic_fetch_sub(&recording.busy, 1);
}

/* In the pause. own: of the caller, which knows its own stack. Not by number: an orphan of an earlier run
 * may call. */
static void record_running(struct ant__records *r, const struct ant__g *self,
                           const struct ant__record *own)
{
    struct ant__record seen;

    ant__lock(&ant__sched.lock);
    for (struct ant__m *m = ant__sched.all_ms; m; m = m->next_all) {
        if (!m->g)
            continue;
        describe(m->g, &seen);
        add(r, m->g == self ? own : &seen);
        ant__store_relaxed(ant__g_mark(m->g), SEEN);
    }
    ant__unlock(&ant__sched.lock);
}

static void forget_ids(void)
{
    for (int i = 0; i < ant__load_acquire(&ant__sched.all_ps_n); i++)
        ant__p_at(i)->id_next = ant__p_at(i)->id_end;
}

static int begin_recording(struct ant__records *r, const struct ant__g *self,
                           const struct ant__record *own)
{
    ant_time start = ant__now();

    ant__g_marks_clear();
    if (!ant__pause_all(NULL))
        return -EAGAIN;
    begin_records(r);
    forget_ids();
    recording.first_new = ant__load_relaxed(&ant__sched.next_id);
    record_running(r, self, own);
    atomic_store(&recording.records, r);
    ant__ms_claim(ANT__CLAIM_RECORD);
    ant__resume_all();
    ant__store_relaxed(&ant__record_paused, ant__now() - start);
    return 0;
}

static void end_recording(void)
{
    int spins = 0;

    ant__ms_unclaim(ANT__CLAIM_RECORD);
    atomic_store(&recording.records, NULL);
    while (atomic_load(&recording.busy) > 0)
        ant__back_off(&spins);
}

static void visit(struct ant__g *g, void *r)
{
    if (atomic_load(&ant__sched.life) == ANT__RUNNING)
        record_unseen(r, g, ant__g_mark(g));
}

/* The runtime is kept from being freed, but not from stopping. */
static int record(const void *caller, struct ant__records *r)
{
    struct ant__g *self = ant__self();
    void *frames[ANT__RECORD_FRAMES];
    struct ant__record own = {0};
    int err;

    if (self)
        record_own(self, caller, &own, frames);
    err = begin_recording(r, self, &own);
    if (err)
        return err;
    ant__g_visit(visit, r);
    end_recording();
    return atomic_load(&ant__sched.life) == ANT__RUNNING ? 0 : ANT_ENOTRUNNING;
}

int ant__record_all(const void *caller, struct ant__records **ret_records)
{
    void *memory;
    int err;

    if (atomic_load(&ant__sched.life) == ANT__FORKED)
        ant__fatal_forked();
    err = ant__map(&memory, sizeof **ret_records);
    if (err)
        return err;
    ant__lock(&recording.lock);
    err = ANT_ENOTRUNNING;
    if (ant__foreign_enter()) { /* goroutines too, for stopping does not wait for their user code */
        err = record(caller, memory);
        ant__foreign_leave();
    }
    ant__unlock(&recording.lock);
    if (err)
        ant__records_free(memory);
    else
        *ret_records = memory;
    return err;
}

void ant__record_forked(void)
{
    memset(&recording, 0, sizeof recording);
    ant__pause_forked();
}

/* ---- when nothing runs any more ---- */

static void visit_asleep(struct ant__g *g, void *r)
{
    void *frames[ANT__RECORD_FRAMES];
    struct ant__record seen;

    ant__record_one(g, &seen, frames);
    add(r, &seen);
}

struct ant__records *ant__record_asleep(void)
{
    static struct ant__records records; /* once, as the process ends */

    begin_records(&records);
    ant__g_visit(visit_asleep, &records);
    return &records;
}
