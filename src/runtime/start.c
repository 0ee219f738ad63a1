/* start.c - the life of the runtime: starting, the main goroutine, fork. How it stops is in stop.c. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runtime/frames.h"
#include "runtime/netpoll.h"
#include "runtime/preempt.h"
#include "runtime/signals.h"
#include "runtime/symbol.h"

static pthread_mutex_t life_lock = PTHREAD_MUTEX_INITIALIZER; /* around starting and stopping */
static _Atomic int changing;                                  /* who have it, or are about to */

/* ---- threads that are no Ms ---- */

void ant__fatal_forked(void)
{
    ant__fatal(
        "the child of a fork called into the runtime, which did not come along: between fork "
        "and exec only async-signal-safe functions may be used");
}

bool ant__foreign_enter(void)
{
    int life;

    ant__cancel_off();
    /* Sequentially consistent against ant_stop: it stores life, then looks at foreign_inside. */
    atomic_fetch_add(&ant__sched.foreign_inside, 1);
    life = atomic_load(&ant__sched.life);
    if (life == ANT__RUNNING)
        return true;
    atomic_fetch_sub(&ant__sched.foreign_inside, 1);
    ant__cancel_back();
    if (life == ANT__FORKED)
        ant__fatal_forked();
    return false;
}

void ant__foreign_leave(void)
{
    atomic_fetch_sub(&ant__sched.foreign_inside, 1);
    ant__cancel_back();
}

/* How many threads the process has; -1 if that cannot be known. (Listing /proc/self/task would not
 * do: the listing breaks off when a thread ends meanwhile.) */
static int count_threads(void)
{
    char text[4096];
    const char *line;
    int fd = open("/proc/self/status", O_RDONLY | O_CLOEXEC);
    ssize_t n;

    if (fd < 0)
        return -1;
    n = read(fd, text, sizeof text - 1);
    close(fd);
    text[n > 0 ? n : 0] = '\0';
    line = strstr(text, "\nThreads:");
    return line ? atoi(line + strlen("\nThreads:")) : -1;
}

/* TSan has a thread in the background, except in the child of a fork. */
#ifdef ANT__TSAN
static pid_t pid_at_load;

__attribute__((constructor)) static void remember_pid(void)
{
    pid_at_load = getpid();
}

static int threads_of_tools(void)
{
    return getpid() == pid_at_load;
}
#else
static int threads_of_tools(void)
{
    return 0;
}
#endif

/* The threads that wait are counted before all are, so it must be sure that none was woken in
 * between: it might wake others, and end, before we count. Who is inside the runtime is looked at
 * last: they cannot ready a goroutine while we hold sched.lock. */
bool ant__alone(void)
{
    struct ant__sched *s = &ant__sched;
    uint64_t woken = atomic_load(&s->foreign_woken);
    int ours = s->ms + 1 /* sysmon */ + atomic_load(&s->foreign_waiting);

    return count_threads() == ours + threads_of_tools() &&
           atomic_load(&s->foreign_woken) == woken && atomic_load(&s->foreign_inside) == 0;
}

/* ---- fork ---- */

/* Whoever was about to start or to stop the runtime, or wrote a dump, did not come along, but the locks
 * did. */
static void in_forked_child(void)
{
    struct ant__m *m = ant__m();

    ant__record_forked();
    ant__dump_forked();
    ant__symbols_forked();
    ant__signals_forked();
    if (ant__load_relaxed(&ant__sched.life) == ANT__OFF && ant__load_relaxed(&changing) == 0)
        return;
    ant__store_relaxed(&ant__sched.life, ANT__FORKED);
    if (m)
        ant__store_relaxed(&m->claim, ANT__CLAIM_FORKED);
}

static void register_atfork(void)
{
    pthread_atfork(NULL, NULL, in_forked_child);
}

static void begin_change(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;

    if (atomic_load(&ant__sched.life) == ANT__FORKED)
        ant__fatal_forked();
    pthread_once(&once, register_atfork);
    ant__cancel_off();
    atomic_fetch_add(&changing, 1);
    pthread_mutex_lock(&life_lock);
}

static void end_change(void)
{
    pthread_mutex_unlock(&life_lock);
    atomic_fetch_sub(&changing, 1);
    ant__cancel_back();
}

/* ---- starting ---- */

static void sched_init(const ant_config *config, bool main_mode)
{
    struct ant__sched *s = &ant__sched;

    s->config = *config;
    ant__store_relaxed(&s->main_mode, main_mode);
    ant__fenv_save(&s->fenv);
    s->main_exited = false;
    ant__store_relaxed(&s->told_no_thread, false);
    s->default_class = ant__stack_class(config->stack_size);
    s->claims = (uint32_t)ant__pause_init();
    s->global = (struct ant__glist){0};
    s->idle_ms = s->all_ms = s->ended_ms = s->keeper = NULL;
    s->ms = s->idle_ms_n = s->stuck_ms_n = s->ending_ms_n = s->bare_ms_n = 0;
    s->idle_ps = NULL;
    ant__store_relaxed(&s->global_n, 0);
    ant__store_relaxed(&s->keeper_until, ANT__NEVER);
    ant__store_relaxed(&s->run_bare, 0);
    ant__store_relaxed(&s->foreign_created, 0);
    ant__store_relaxed(&s->foreign_io_waiting, 0);
    ant__store_relaxed(&s->wakeups, 0);
    ant__store_relaxed(&s->next_id, main_mode ? 2 : 1); /* the main goroutine has 1 */
    ant__store_relaxed(&s->procs, 0);
    ant__store_relaxed(&s->all_ps_n, 0);
    ant__store_relaxed(&s->idle_ps_n, 0);
    ant__store_relaxed(&s->spinning, 0);
    for (int i = 0; i < ANT__MAX_PROCS / 64; i++)
        ant__store_relaxed(&s->idle_mask[i], 0);
    ant__note_clear(&s->all_gone);
}

/* The first call of a function of a library goes through the dynamic linker, which needs more stack
 * than a goroutine may have, and takes its lock. So those that we call on the stacks of goroutines, and
 * those for a dump, are called here first. */
static void bind_libraries(void)
{
    _Atomic uint32_t nobody_waits = 0;
    volatile size_t n = 8;
    char bytes[16];
    void *memory = malloc(n);

    memset(bytes, 0, n);
    memcpy(bytes + 8, bytes, n);
    memmove(bytes + 1, bytes, n);
    __asm__ volatile("" : : "r"(bytes), "r"(memory) : "memory"); /* else they are left out */
    free(memory);
    ant__now();
    ant__frames(&memory, 1);
    sched_yield();
    ant__futex_wake(&nobody_waits, 1);
}

/* The first thread shows at once whether threads can be made at all. No P: other threads of the
 * program have made goroutines already, and took the Ps to run them. */
static int start_first_thread(void)
{
    struct ant__p *p;

    ant__lock(&ant__sched.lock);
    p = ant__p_idle_get();
    ant__unlock(&ant__sched.lock);
    return p ? ant__m_start_first(p) : 0;
}

static int start_locked(const ant_config *given, bool main_mode)
{
    ant_config config;
    int err = ant__config_resolve(&config, given);

    if (err)
        return err;
    bind_libraries();
    ant__store_release(&ant__room, ant__with_room_for);
    ant__stacks_init();
    sched_init(&config, main_mode);
    err = ant__procs_init(config.procs);
    if (!err) /* for the first goroutine, which could not tell that there is no memory for it */
        err = ant__stack_refill(ant__p_at(0), ant__sched.default_class);
    if (err)
        goto free_memory;
    err = ant__faults_install(&config);
    if (err)
        goto free_memory;
    err = ant__preempt_install(&config);
    if (err)
        goto remove_faults;
    err = ant__sysmon_start();
    if (err)
        goto remove_preempt;
    atomic_fetch_add(&ant__sched.run, 1);
    atomic_store(&ant__sched.life, ANT__RUNNING);
    err = start_first_thread();
    if (err)
        ant__stop_now(); /* other threads may have come in meanwhile */
    return err;

remove_preempt:
    ant__preempt_remove();
remove_faults:
    ant__faults_remove();
free_memory:
    ant__free_all(true);
    return err;
}

static int start(const ant_config *config, bool main_mode)
{
    int err;

    if (ant__m() && atomic_load(&ant__sched.life) != ANT__FORKED)
        return ANT_EGOROUTINE;
    begin_change();
    err = ant__load_relaxed(&ant__sched.life) == ANT__OFF ? start_locked(config, main_mode)
                                                          : ANT_ERUNNING;
    end_change();
    return err;
}

int ant_start(const ant_config *config)
{
    return start(config, false);
}

/* ---- stopping ---- */

static int stop(void)
{
    int err;

    begin_change();
    err = ant__load_relaxed(&ant__sched.life) == ANT__OFF ? ANT_ENOTRUNNING : ant__stop_now();
    end_change();
    return err;
}

int ant_stop(void)
{
    int life = atomic_load(&ant__sched.life); /* before main_mode: who sees a run sees its mode */

    if (life == ANT__FORKED)
        ant__fatal_forked();
    if (ant__m())
        return ANT_EGOROUTINE;
    if (life != ANT__OFF && ant__load_relaxed(&ant__sched.main_mode))
        return -EPERM; /* ant_run stops what it started */
    return stop();
}

/* ---- the main goroutine ---- */

struct main_call {
    int (*fn)(void *);
    void *arg;
    int result;
    struct ant__note done;
};

static void main_goroutine(void *arg)
{
    struct main_call *call = arg;
    struct ant__m *m = ant__m();

    m->g->id = 1;
    call->result = call->fn(call->arg);
    m = ant__g_end_user_side(ant__enter());
    ant__stop_begin();
    ant__note_post(&call->done);
    ant__g_abandon(m);
}

int ant_run(int (*fn)(void *), void *arg, const ant_config *config)
{
    struct main_call call = {.fn = fn, .arg = arg};
    const ant_go_options options = {.name = "main"};
    int err;

    if (!fn)
        return -EINVAL;
    err = start(config, true);
    if (err)
        return err;
    err = ant_go_opts(&options, main_goroutine, &call);
    if (!err) {
        atomic_fetch_add(&ant__sched.foreign_waiting, 1);
        ant__note_wait(&call.done, ANT__NEVER);
        atomic_fetch_sub(&ant__sched.foreign_waiting, 1);
    }
    stop();
    return err ? err : call.result;
}
