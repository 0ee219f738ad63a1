/* worker.c - a worker's record, and the goroutine that works for it. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "pool/pool.h"
#include "runtime/preempt.h"

enum { CLEAN_TRIES = 4 }; /* if destructors panic again and again */

/* ---- memory ---- */

struct alloc {
    void **memory;
    size_t size;
    int err;
};

static void alloc_with_room(void *arg)
{
    struct alloc *a = arg;

    a->err = ant__alloc(a->memory, a->size);
}

int ant__pool_alloc(void **ret_memory, size_t size)
{
    struct alloc a = {.memory = ret_memory, .size = size};

    ant__with_room(alloc_with_room, &a);
    return a.err;
}

/* ---- records ---- */

static struct ant__worker *make_record(struct ant__pool *pool)
{
    struct ant__worker *w;

    if (ant__pool_alloc((void **)&w, sizeof *w + pool->room) != 0)
        return NULL;
    ant__lock(&pool->records_lock);
    w->next_all = pool->all;
    w->link_all = &pool->all;
    if (w->next_all)
        w->next_all->link_all = &w->next_all;
    pool->all = w;
    ant__unlock(&pool->records_lock);
    return w;
}

struct ant__worker *ant__worker_new(struct ant__team *team)
{
    struct ant__pool *pool = team->pool;
    struct ant__worker *w;

    ant__lock(&pool->records_lock);
    w = pool->spare;
    if (w)
        pool->spare = w->next;
    ant__unlock(&pool->records_lock);
    if (!w)
        w = make_record(pool);
    if (w)
        w->team = team;
    return w;
}

void ant__workers_free(struct ant__worker *list)
{
    struct ant__worker *last = list;
    struct ant__pool *pool;

    if (!list)
        return;
    pool = list->team->pool;
    while (last->next)
        last = last->next;
    ant__lock(&pool->records_lock);
    last->next = pool->spare;
    pool->spare = list;
    pool->spare_since = ant__now_coarse();
    ant__unlock(&pool->records_lock);
}

void ant__worker_free(struct ant__worker *w)
{
    w->next = NULL;
    ant__workers_free(w);
}

struct ant__worker *ant__workers_take_spare(struct ant__pool *pool, int n)
{
    struct ant__worker *list = NULL;

    ant__lock(&pool->records_lock);
    while (n-- > 0 && pool->spare) {
        struct ant__worker *w = pool->spare;

        pool->spare = w->next;
        *w->link_all = w->next_all;
        if (w->next_all)
            w->next_all->link_all = w->link_all;
        w->next = list;
        list = w;
    }
    ant__unlock(&pool->records_lock);
    return list;
}

int ant__worker_load(struct ant__worker *w, const struct ant__task *task)
{
    void *to = w->room;

    w->fn = task->fn;
    if (ant__likely(task->size == 0)) {
        w->arg = (void *)task->arg;
        return 0;
    }
    if (task->size > w->team->pool->room) {
        int err = ant__pool_alloc(&w->copy, task->size);

        if (err)
            return err;
        to = w->copy;
    }
    w->arg = memcpy(to, task->arg, task->size);
    return 0;
}

void ant__worker_unload(struct ant__worker *w)
{
    if (ant__unlikely(w->copy != NULL)) {
        free(w->copy);
        w->copy = NULL;
    }
}

/* ---- the goroutine ---- */

struct shift {
    struct ant__shard *shard;   /* where it begins ... */
    struct ant__worker *worker; /* ... or as whom */
};

/* As whom the calling goroutine works at the moment is in its G, where others find it too. */
static struct ant__worker *present_worker(void)
{
    return ant__self()->arg;
}

/* The worker as which to go on after a task, or at the beginning without one. The next task begins
 * as in a goroutine of its own. */
static struct ant__worker *next_worker(struct ant__worker *w)
{
    struct ant__m *m;

    ant__worker_unload(w);
    m = ant__enter();
    if (ant__unlikely(ant__g_is_dirty(m->g))) {
        ant__leave(m);
        ant__g_clean(ant__self());
        m = ant__enter();
    }
    w = ant__line_next(m, w);
    m->g->arg = w;
    if (w && ant__unlikely(--m->p->budget < 0))
        m = ant__reschedule(m);
    ant__leave(m);
    return w;
}

static struct ant__worker *first_worker(struct ant__shard *s)
{
    struct ant__m *m = ant__enter();
    struct ant__worker *w;

    /* Not in user code, where a dump may read it at the same time. */
    m->g->stack->name = s->team->pool->options.name;
    w = ant__line_first(m, s);
    m->g->arg = w;
    ant__leave(m);
    return w;
}

static void work(void *arg)
{
    struct shift *shift = arg;
    struct ant__worker *w = shift->worker;

    if (ant__unlikely(ant__g_is_dirty(ant__self()))) /* after a panic */
        ant__g_clean(ant__self());
    if (!w)
        w = first_worker(shift->shard);
    while (w) {
        if (ant__likely(w->fn != NULL))
            w->fn(w->arg);
        w = next_worker(w);
    }
}

/* What is told of a panic if nobody handles it, as text for the logger; else on standard error. */
struct report {
    const char *name;
    const ant_panic_info *info;
    char *text; /* NULL: no memory */
};

static void print_report(int fd, const struct report *r)
{
    ant__print(fd, "anthill: a task of %s panicked, and the pool has no panic_handler\n",
               r->name ? r->name : "a pool");
    ant_panic_print(fd, r->info);
}

static void print_with_room(void *arg)
{
    print_report(STDERR_FILENO, arg);
}

static void write_with_room(void *arg)
{
    struct report *r = arg;
    int fd = memfd_create("panic", MFD_CLOEXEC);
    off_t len;

    if (fd < 0)
        return;
    print_report(fd, r);
    len = lseek(fd, 0, SEEK_CUR);
    if (len > 0 && ant__alloc((void **)&r->text, (size_t)len + 1) == 0 &&
        pread(fd, r->text, (size_t)len, 0) != len)
        r->text[0] = '\0';
    close(fd);
}

static void log_panic(const ant_pool_options *o, const ant_panic_info *info)
{
    struct report r = {.name = o->name, .info = info};

    ant__with_room(o->logger ? write_with_room : print_with_room, &r);
    if (o->logger)
        o->logger(r.text ? r.text : info->message, o->logger_arg);
    free(r.text);
}

/* A worker that is gone, by a panic or by ant_exit, and what remains to be done for it. */
struct loss {
    struct ant__worker *worker; /* only its record; its copy is what is told of the panic */
    bool owe; /* who waits could not be given another goroutine: this one must do */
};

/* Who waits gets another worker before the handler is called, which may take its time. */
static void count_out(struct loss *loss, bool panicked)
{
    struct ant__team *team = loss->worker->team;
    struct ant__m *m = ant__enter();
    bool more;

    loss->worker->fn = NULL;
    ant__lock(&team->pool->lock);
    team->pool->handling++;
    team->pool->panicked += panicked;
    ant__team_lose(m, team);
    ant__team_warm_up(team, &more);
    loss->owe = ant__line_serve(m, team->pool) != 0;
    ant__unlock(&team->pool->lock);
    ant__leave(m);
}

static void begin_shift(struct shift *shift);

/* Deferred, since the handler may call ant_exit. */
static void handled(void *arg)
{
    const struct loss *loss = arg;
    struct ant__pool *pool = loss->worker->team->pool;
    struct ant__worker *w = NULL;
    struct ant__m *m;

    ant__worker_unload(loss->worker);
    m = ant__enter();
    ant__lock(&pool->lock);
    ant__worker_free(loss->worker);
    pool->handling--;
    if (loss->owe)
        w = ant__line_volunteer(m, pool);
    if (!w) {
        m->g->stack->name = NULL; /* the pool's, which may go as soon as it is settled */
        ant__pool_tell_watchers(m, pool);
    }
    ant__unlock(&pool->lock);
    m->g->arg = w;
    ant__leave(m);
    if (w)
        begin_shift(&(struct shift){.worker = w});
}

static const ant_panic_info no_memory = {.message = "(no memory to describe it)"};

static void tell_panic(const ant_pool_options *options, const ant_panic_info *info)
{
    if (options->panic_handler)
        options->panic_handler(info ? info : &no_memory, options->panic_arg);
    else
        log_panic(options, info ? info : &no_memory);
}

static void clean(void *g)
{
    ant__g_clean(g);
}

/* The task's locals go while it still counts: their destructors are user code, and may panic as the task
 * could. */
static void clean_up(const ant_pool_options *options)
{
    struct ant__g *g = ant__self();
    ant_panic_info *info;
    ant_defer_node node;

    for (int i = 0; i < CLEAN_TRIES && ant__g_is_dirty(g); i++) {
        if (ant__try_lean(clean, g, &info) == 0)
            return;
        ant_defer(&node, free, info);
        tell_panic(options, info);
        ant_defer_end(&node);
    }
}

/* info: of a panic, to be freed; or NULL. */
static void bury(struct ant__worker *w, bool panicked, ant_panic_info *info)
{
    const ant_pool_options *options = &w->team->pool->options;
    struct loss loss = {.worker = w};
    ant_defer_node node;

    ant__worker_unload(w);
    w->copy = info;
    count_out(&loss, panicked);
    ant_defer(&node, handled, &loss);
    if (panicked)
        tell_panic(options, info);
    clean_up(options);
    ant_defer_end(&node);
}

/* Deferred: the task has called ant_exit. */
static void left_early(void *arg)
{
    if (present_worker())
        bury(present_worker(), false, NULL);
}

static const ant_pool_options *options_of(const struct shift *shift)
{
    const struct ant__team *team = shift->worker ? shift->worker->team : shift->shard->team;

    return &team->pool->options;
}

/* The tasks may be interrupted, and what we do between them, but not the handlers of the pool. */
static uint8_t preempt_flag(const struct shift *shift)
{
    return options_of(shift)->preempt == ANT_PREEMPT_SIGNAL ? ANT__G_PREEMPT : 0;
}

static void begin_shift(struct shift *shift)
{
    struct ant__g *g = ant__self();
    ant_panic_info *info;
    ant_defer_node node;
    bool panicked;

    if (options_of(shift)->blocking)
        ant__g_set(g, ANT__G_BLOCKING);
    ant_defer(&node, left_early, NULL);
    ant__unstay(g, preempt_flag(shift));
    panicked = ant__try_lean(work, shift, &info) != 0;
    ant__stay(g);
    if (ant__unlikely(panicked))
        bury(present_worker(), true, info);
    ant_defer_end(&node);
}

static void shift_main(void *arg)
{
    begin_shift(&(struct shift){.shard = arg});
}

int ant__shift_queue(struct ant__m *m, struct ant__shard *s, void *creator)
{
    return ant__go(m, shift_main, s, s->team->pool->stack_class, creator);
}

bool ant__worker_calls(struct ant__m *m, const struct ant__pool *pool)
{
    const struct ant__worker *w = m && m->g->fn == shift_main ? m->g->arg : NULL;

    return w && w->team->pool == pool;
}

bool ant__task_calls(struct ant__m *m, const struct ant__pool *pool)
{
    return ant__worker_calls(m, pool) && ((const struct ant__worker *)m->g->arg)->fn;
}
