/* file.c - see io.h: places for files, handles, waiting, deadlines, closing. */
#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <unistd.h>

#include "net/io.h"
#include "runtime/preempt.h"

#define CLOSED ((uint32_t)1 << 31)
#define REFS (CLOSED - 1)
#define DRY ((uint64_t)1 << 32)

enum {
    CHUNK = 64, /* files made at a time */
    BLOCKING_CALLS = 256,
    MOST = 0x7ffff000, /* bytes that Linux transfers in one call */
    WHILE_FIRST = 50 * ANT_MICROSECOND,
    WHILE_LONGEST = 2 * ANT_MILLISECOND,
    EVENTS = EPOLLIN | EPOLLPRI | EPOLLOUT | EPOLLRDHUP | EPOLLET,
    READABLE = EPOLLIN | EPOLLRDHUP | EPOLLHUP | EPOLLERR,
    WRITABLE = EPOLLOUT | EPOLLHUP | EPOLLERR,
    NO_HINT = EPOLLRDHUP | EPOLLHUP | EPOLLERR | EPOLLPRI,
};

static struct {
    struct ant__lock lock;
    struct ant__file *free, *all;
} files;

static struct ant__turns blocking_calls = {.n = BLOCKING_CALLS};

/* ---- waking ---- */

/* Something may be had: wakes one, or all. Under the file's lock. */
static void take_waiting(struct ant__direction *d, bool all, struct ant__woken *woken, int *n)
{
    struct ant__wait *w;

    ant__store_release(&d->seq, ant__load_relaxed(&d->seq) + 1);
    while ((w = ant__queue_take(&d->waiting))) {
        ant__woken_add(woken, w->sleeper);
        ++*n;
        if (!all)
            return;
    }
}

/* For who polls, or fires timers: goroutines go to *out. */
static void hand_out(struct ant__woken *woken, struct ant__glist *out)
{
    struct ant__g *g, *next;

    ant__wake_threads(woken->threads);
    for (g = woken->gs; g; g = next) {
        next = g->next;
        ant__store_relaxed(&g->state, ANT__G_RUNNABLE);
        ant__glist_push(out, g);
    }
}

static void on_event(struct ant__source *source, uint32_t events, struct ant__p *p,
                     struct ant__glist *out)
{
    struct ant__file *f = ant__container_of(source, struct ant__file, source);
    struct ant__woken woken = {0};
    int n = 0;

    ant__lock(&f->lock);
    if (events & NO_HINT)
        ant__store_relaxed(&f->no_hint, true);
    if (events & READABLE || f->kind == ANT__FILE_POLLED)
        take_waiting(&f->in, false, &woken, &n);
    if (events & WRITABLE)
        take_waiting(&f->out, false, &woken, &n);
    ant__unlock(&f->lock);
    if (n)
        ant__poll_count_waiting(p, -n);
    hand_out(&woken, out);
}

/* For everyone else. */
static void wake(struct ant__file *f, bool in, bool out, bool all)
{
    struct ant__m *m = ant__enter();
    struct ant__woken woken = {0};
    int n = 0;

    ant__lock(&f->lock);
    if (in)
        take_waiting(&f->in, all, &woken, &n);
    if (out)
        take_waiting(&f->out, all, &woken, &n);
    ant__unlock(&f->lock);
    if (n)
        ant__poll_count_waiting(m ? m->p : NULL, -n);
    ant__wake_all(m, &woken);
    ant__leave_any(m);
}

/* ---- waiting ---- */

static bool is_closed(const struct ant__file *f)
{
    return ant__load_acquire(&((struct ant__file *)f)->state) & CLOSED;
}

struct blocked {
    struct ant__waiting base;
    struct ant__file *file;
};

static void unlock_file(struct ant__m *m, struct ant__waiting *base)
{
    ant__unlock(&ant__container_of(base, struct blocked, base)->file->lock);
}

/* Under the file's lock, which is let go. */
static int sleep_on(struct ant__file *f, struct ant__direction *d, struct ant__m **m, ant_ctx *ctx)
{
    struct blocked b = {.file = f};

    ant__waiting_init(&b.base, *m, ant_ctx_done(ctx), unlock_file);
    if (!ant__waiting_join(&b.base)) {
        ant__unlock(&f->lock);
        return ant_ctx_err(ctx);
    }
    ant__queue_push(&d->waiting, &b.base.wait);
    ant__poll_count_waiting(*m ? (*m)->p : NULL, 1);
    if (ant__waiting_sleep(&b.base, m, d == &f->in ? ANT__WAIT_READ : ANT__WAIT_WRITE))
        return 0;
    ant__lock(&f->lock);
    ant__queue_remove(&b.base.wait);
    ant__unlock(&f->lock);
    ant__poll_count_waiting(*m ? (*m)->p : NULL, -1);
    return ant_ctx_err(ctx);
}

int ant__file_wait(struct ant__file *f, struct ant__direction *d, uint32_t seq, ant_ctx *ctx)
{
    struct ant__m *m = ant__enter();
    int err = 0;

    ant__lock(&f->lock);
    if (is_closed(f) || ant__load_relaxed(&d->expired) || ant__load_relaxed(&d->seq) != seq)
        ant__unlock(&f->lock); /* the caller looks again */
    else
        err = sleep_on(f, d, &m, ctx);
    ant__leave_any(m);
    return err;
}

static int check_usable(struct ant__file *f, struct ant__direction *d, ant_ctx *ctx)
{
    if (is_closed(f))
        return ANT_ECLOSED;
    if (ant__load_relaxed(&d->expired))
        return ANT_ETIMEOUT;
    return ctx ? ant_ctx_err(ctx) : 0;
}

/* What a short read of a TCP stream tells: there is no more until the next event. That is not so if
 * the other side's end came along with the bytes, nor if an urgent byte did: a read stops there. */
static void note_short(struct ant__file *f, struct ant__direction *d, uint32_t seq)
{
    if (f->kind == ANT__FILE_TCP && !ant__load_relaxed(&f->no_hint))
        ant__store_relaxed(&d->dry, DRY | seq);
}

/* Short enough for who closes the file, or ends the wait otherwise, not to notice. */
static ant_duration wait_a_while(ant_duration d)
{
    ant_sleep(d);
    return d < WHILE_LONGEST ? 2 * d : d;
}

static ssize_t try_until_done(struct ant__file *f, struct ant__direction *d, struct ant__op *op,
                              bool *ret_slept)
{
    ant_duration pause = WHILE_FIRST;

    for (;;) {
        uint32_t seq = ant__load_acquire(&d->seq);
        ssize_t n = check_usable(f, d, op->ctx);
        bool dry = op->size > 0 && ant__load_relaxed(&d->dry) == (DRY | seq) &&
                   !ant__load_relaxed(&f->no_hint);

        if (n)
            return n;
        n = dry ? -EAGAIN : op->call(op, f->fd);
        if (n > 0 && (size_t)n < op->size && n < MOST)
            note_short(f, d, seq);
        if (n == -EINTR)
            continue;
        if (n != -EAGAIN)
            return n;
        *ret_slept = true;
        if (op->no_event) {
            pause = wait_a_while(pause);
            continue;
        }
        n = ant__file_wait(f, d, seq, op->ctx);
        if (n)
            return n;
    }
}

/* ---- turns ---- */

static ant_sem *sem_of_this_run(struct ant__turns *t)
{
    uint64_t run = ant__load_relaxed(&ant__sched.run);
    uint8_t was = ant__lock_steady(&t->lock);

    if (t->run != run)
        t->sem = (ant_sem)ANT_SEM(t->n);
    t->run = run;
    ant__unlock_steady(&t->lock, was);
    return &t->sem;
}

int ant__turn_take(struct ant__turns *t, ant_ctx *ctx)
{
    if (!ant__m())
        return ant_ctx_err(ctx);
    return ant_sem_acquire_ctx(sem_of_this_run(t), 1, ctx);
}

void ant__turn_give(struct ant__turns *t)
{
    if (ant__m())
        ant_sem_release(&t->sem, 1);
}

/* For what cannot be waited for. */
static ssize_t try_blocking(struct ant__file *f, struct ant__op *op)
{
    ssize_t n = ant__turn_take(&blocking_calls, op->ctx);

    if (n)
        return n;
    ant_blocking_begin();
    do
        n = op->call(op, f->fd);
    while (n == -EINTR);
    ant_blocking_end();
    ant__turn_give(&blocking_calls);
    return n;
}

ssize_t ant__file_try(struct ant__file *f, struct ant__op *op)
{
    struct ant__direction *d = op->out ? &f->out : &f->in;
    int saved = ant__errno();
    bool slept = false;
    ssize_t n;

    n = f->kind == ANT__FILE_REGULAR ? try_blocking(f, op) : try_until_done(f, d, op, &slept);
    if (!slept) /* one who never waits meets here who asks it to let others run */
        ant__leave_any(ant__enter());
    ant__errno_set(saved);
    if (slept && ant__queue_head(&d->waiting)) /* what woke us may be enough for others too */
        wake(f, !op->out, op->out, false);
    return n;
}

ssize_t ant__io_do(ant_io io, struct ant__op *op)
{
    struct ant__file *f;
    ssize_t n = ant__file_ref(io, &f);

    if (n)
        return n;
    n = ant__file_try(f, op);
    ant__file_unref(f);
    return n;
}

/* ---- deadlines ---- */

static ant_time on_deadline(struct ant__timer *t, struct ant__p *p, struct ant__glist *out)
{
    struct ant__direction *d = ant__container_of(t, struct ant__direction, timer);
    struct ant__woken woken = {0};
    ant_time deadline;
    int n = 0;

    ant__lock(&d->file->lock);
    deadline = ant__load_relaxed(&d->deadline);
    if (deadline != 0 && ant__now() >= deadline) { /* else it was moved */
        ant__store_relaxed(&d->expired, true);
        take_waiting(d, true, &woken, &n);
    }
    ant__unlock(&d->file->lock);
    if (n)
        ant__poll_count_waiting(p, -n);
    hand_out(&woken, out);
    return 0;
}

static void set_deadline(struct ant__file *f, struct ant__direction *d, ant_time when)
{
    struct ant__m *m = ant__enter(); /* so that nobody is abandoned with the lock in his hands */
    bool running = m || ant__foreign_enter();
    bool past = when != 0 && when <= ant__now(), first = false;

    ant__lock(&f->deadlines);
    ant__lock(&f->lock);
    ant__store_relaxed(&d->deadline, when);
    ant__store_relaxed(&d->expired, past);
    ant__unlock(&f->lock);
    ant__timer_stop_inside(m, &d->timer);
    if (running && when != 0 && !past && !is_closed(f))
        first = ant__timer_arm(m ? m->p : ant__p_at(0), &d->timer, when);
    ant__unlock(&f->deadlines);
    if (first)
        ant__timer_armed(when);
    if (!m && running)
        ant__foreign_leave();
    ant__leave_any(m);
    if (past)
        wake(f, d == &f->in, d == &f->out, true);
}

static int set_deadlines(ant_io io, ant_time when, bool in, bool out)
{
    struct ant__file *f;
    int err = when < 0 ? -EINVAL : ant__file_ref(io, &f);

    if (err)
        return err;
    if (in)
        set_deadline(f, &f->in, when);
    if (out)
        set_deadline(f, &f->out, when);
    ant__file_unref(f);
    return 0;
}

int ant_set_deadline(ant_io io, ant_time when)
{
    return set_deadlines(io, when, true, true);
}

int ant_set_read_deadline(ant_io io, ant_time when)
{
    return set_deadlines(io, when, true, false);
}

int ant_set_write_deadline(ant_io io, ant_time when)
{
    return set_deadlines(io, when, false, true);
}

/* ---- places ---- */

static void direction_init(struct ant__direction *d, struct ant__file *f)
{
    d->file = f;
    d->timer.fire = on_deadline;
}

/* More places, all free. Under files.lock. */
static int grow(void)
{
    struct ant__file *chunk;
    int err = ant__alloc_aligned((void **)&chunk, ANT__CACHE_LINE, CHUNK * sizeof *chunk);

    for (int i = 0; !err && i < CHUNK; i++) {
        struct ant__file *f = &chunk[i];

        f->source.ready = on_event;
        ant__store_relaxed(&f->serial, 1);
        ant__store_relaxed(&f->state, CLOSED);
        direction_init(&f->in, f);
        direction_init(&f->out, f);
        f->next_all = files.all;
        files.all = f;
        f->next = files.free;
        files.free = f;
    }
    return err;
}

static struct ant__file *place_get(void)
{
    struct ant__file *f = NULL;
    uint8_t was = ant__lock_steady(&files.lock);

    if (files.free || grow() == 0) {
        f = files.free;
        files.free = f->next;
    }
    ant__unlock_steady(&files.lock, was);
    return f;
}

static void place_put(struct ant__file *f)
{
    uint8_t was = ant__lock_steady(&files.lock);

    f->next = files.free;
    files.free = f;
    ant__unlock_steady(&files.lock, was);
}

/* A late event of the last descriptor here may come at any time, and changes seq: so that is not
 * set back. */
static void direction_reset(struct ant__direction *d)
{
    ant__store_relaxed(&d->expired, false);
    ant__store_relaxed(&d->deadline, 0);
    ant__store_relaxed(&d->dry, 0);
}

static void close_all(bool all_ended);
static void leave(struct ant__file *f);

static int file_new(ant_io *ret_io, int fd, enum ant__file_kind kind)
{
    struct ant__file *f = place_get();
    uint8_t was;
    int err = 0;

    if (!f)
        return -ENOMEM;
    ant__store_relaxed(&ant__io_close_all, close_all);
    f->fd = fd;
    was = ant__lock_steady(&f->lock); /* against late events */
    f->kind = kind;
    ant__unlock_steady(&f->lock, was);
    ant__store_relaxed(&f->no_hint, false);
    direction_reset(&f->in);
    direction_reset(&f->out);
    *ret_io = (ant_io){.file = f, .serial = ant__load_relaxed(&f->serial)};
    /* Open, and a call is under way: if we are abandoned in the next one, stopping closes it. */
    ant__store_release(&f->state, 1);
    if (kind != ANT__FILE_REGULAR)
        err = ant__poll_add(fd, EVENTS, &f->source);
    if (err) {
        *ret_io = (ant_io){0};
        f->fd = -1; /* the caller keeps it */
        atomic_fetch_or(&f->state, CLOSED);
    }
    leave(f);
    return err;
}

int ant__file_new(ant_io *ret_io, int fd, enum ant__file_kind kind)
{
    bool thread = !ant__m();
    int err;

    if (thread && !ant__foreign_enter())
        return ANT_ENOTRUNNING;
    err = file_new(ret_io, fd, kind);
    if (thread)
        ant__foreign_leave();
    return err;
}

/* ---- handles ---- */

static bool count_in(struct ant__file *f)
{
    uint32_t state = ant__load_relaxed(&f->state);

    do {
        if (state & CLOSED)
            return false;
    } while (!atomic_compare_exchange_weak_explicit(&f->state, &state, state + 1,
                                                    memory_order_acq_rel, memory_order_relaxed));
    return true;
}

int ant__file_ref(ant_io io, struct ant__file **ret_file)
{
    bool thread = !ant__m();

    if (!io.file)
        return -EBADF;
    if (ant__load_relaxed(&io.file->serial) != io.serial)
        return ANT_ECLOSED; /* another file is there, which we need not keep from being closed */
    if (thread)             /* before it counts in state: see close_now */
        atomic_fetch_add(&io.file->threads, 1);
    if (!count_in(io.file)) {
        if (thread)
            atomic_fetch_sub(&io.file->threads, 1);
        return ANT_ECLOSED;
    }
    if (ant__load_relaxed(&io.file->serial) !=
        io.serial) { /* which stays as it is while we are counted */
        ant__file_unref(io.file);
        return ANT_ECLOSED;
    }
    *ret_file = io.file;
    return 0;
}

/* The last one has left a closed file. */
static void finish(struct ant__file *f)
{
    int saved = ant__errno();

    if (f->kind != ANT__FILE_REGULAR) /* closing alone does not, if there is a duplicate */
        ant__poll_remove(f->fd);
    else
        ant_blocking_begin(); /* what was written may have to reach its disk or server first */
    close(f->fd);
    /* Before a stop can have us abandoned: it frees the place, and then no handle may fit it. */
    ant__count(&f->serial, 1);
    ant__store_release(&f->state, CLOSED);
    if (f->kind == ANT__FILE_REGULAR)
        ant_blocking_end();
    ant__errno_set(saved);
    place_put(f);
}

/* A call is over. */
static void leave(struct ant__file *f)
{
    uint32_t state = atomic_fetch_sub(&f->state, 1) - 1;

    if (state & CLOSED && (state & REFS) == 0)
        finish(f);
}

void ant__file_unref(struct ant__file *f)
{
    leave(f);
    if (!ant__m())
        atomic_fetch_sub(&f->threads, 1);
}

int ant_close(ant_io io)
{
    struct ant__file *f;
    int err = ant__file_ref(io, &f);

    if (err)
        return err;
    if (atomic_fetch_or(&f->state, CLOSED) & CLOSED) {
        err = ANT_ECLOSED; /* somebody else was faster */
    } else {
        set_deadline(f, &f->in, 0);
        set_deadline(f, &f->out, 0);
        wake(f, true, true, true);
    }
    ant__file_unref(f);
    return err;
}

static void forget_waiting(struct ant__direction *d)
{
    ant__store_relaxed(&d->waiting.head, NULL);
    direction_reset(d);
}

/* False: some are still there at the deadline. */
static bool await_threads(struct ant__file *f, ant_time deadline)
{
    while (atomic_load(&f->threads) > 0) {
        if (ant__now() >= deadline)
            return false;
        ant__sleep_as_thread(20 * ANT_MICROSECOND);
    }
    return true;
}

/* The runtime has stopped, and no other thread is at it: the calls that goroutines were in will never
 * come back. */
static void close_now(struct ant__file *f)
{
    forget_waiting(&f->in);
    forget_waiting(&f->out);
    finish(f);
}

/* From here on nobody has a handle to them. The reference keeps the last one to leave from closing
 * them: a goroutine may be left that uses them, and then they stay open until the next stop. All are
 * marked before any is waited for, as a thread may sleep on one with another one in its hands. */
static void disown_all(void)
{
    for (struct ant__file *f = files.all; f; f = f->next_all) {
        uint32_t state = ant__load_acquire(&f->state);

        while (!(state & CLOSED) &&
               !atomic_compare_exchange_weak(&f->state, &state, (state + 1) | CLOSED)) {
        }
        /* Also if a goroutine closed it, and was abandoned before it woke them. */
        if (!(state & CLOSED) || state & REFS)
            wake(f, true, true, true);
    }
}

/* Other threads are woken and leave, perhaps as the last one, which closes it; or they are about to free
 * the place. If one does not, all stays as it is until the next stop. */
static void close_all(bool all_ended)
{
    ant_time deadline = ant__time_add(ant__now(), ant__stop_inside_for);
    struct ant__file *f;

    disown_all();
    if (!all_ended)
        return;
    for (f = files.all; f; f = f->next_all) {
        if (!await_threads(f, deadline))
            return;
    }
    files.free = NULL; /* with those that a goroutine had in its hands when it was abandoned */
    for (f = files.all; f; f = f->next_all) {
        if (ant__load_acquire(&f->state) & REFS)
            close_now(f);
        else
            place_put(f);
    }
}

int ant_io_fd(ant_io io)
{
    struct ant__file *f;
    int fd = ant__file_ref(io, &f);

    if (fd)
        return fd;
    fd = f->fd;
    ant__file_unref(f);
    return fd;
}
