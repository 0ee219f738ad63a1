/* runtime.h - the map of the runtime: G, M, P and what they share.
 *
 * Glossary
 *   G      a goroutine's record, one cache line. Lives in a slab, is used again and again, never
 *          freed while the runtime runs, so that a stale pointer always points to a G.
 *   stack  bound to a G when it first runs, taken back when it ends.
 *   M      a thread of ours. Runs goroutines while it holds a P.
 *   P      the right to run goroutines, and the caches that go with it: run queue, free Gs, free
 *          stacks, timers. There are ant_procs() of them.
 *   g0     what an M runs on when it runs no goroutine: the thread's own stack. Looks for work.
 *   settle to publish the goroutine that an M has just left (queue it, commit its parking, free
 *          it). Done by whoever runs next on that M, since only then its stack is free.
 *   user   a goroutine is "in user code" between ant__leave and ant__enter; M and P are then not
 *          touched by it.
 *   keeper the one idle M that sleeps with a deadline, for the sake of timers.
 *   window a few instructions that read this thread's M and must not be parted (preempt.c).
 *   bare   an M is bare whose P was taken while it was in user code (seize.c): its goroutine runs on
 *          as an ordinary thread would, and needs a P again when it next enters.
 *
 * Locks, in the order in which they may be nested:
 *   wheel->lock (a P's timers) -> a channel's lock -> sched.lock -> stack and slab locks.
 */
#ifndef ANT_RUNTIME_RUNTIME_H
#define ANT_RUNTIME_RUNTIME_H

#include <pthread.h>
#include <signal.h>

#include <anthill.h>

#include "base/clock.h"
#include "base/compiler.h"
#include "base/errno.h"
#include "base/futex.h"
#include "base/lock.h"
#include "base/log.h"
#include "base/random.h"
#include "base/room.h"
#include "base/sys.h"
#include "runtime/exception.h"
#include "runtime/runq.h"
#include "runtime/switch.h"
#include "runtime/track.h"

enum {
    ANT__MAX_PROCS = 1024,
    ANT__GLOBAL_EVERY = 61,      /* slices between two looks at the global queue, */
    ANT__GLOBAL_EVERY_SHORT = 4, /* or so many, see search.c */
    ANT__STEAL_ROUNDS = 4,
    ANT__STACK_CLASSES = 31, /* class c holds stacks of 2^c bytes */
    ANT__STACK_MIN_CLASS = 11,
    ANT__STACK_MAX_CLASS = 30,
    ANT__STACK_ROOMY_CLASS = 14, /* and larger: enough for any call of ours, and some KB of it */
    ANT__STACK_DEFAULT_CLASS = 18,
    ANT__ARGS_INLINE = 32, /* bytes that ant_go_copy can keep without a stack */
};

struct ant__g;
struct ant__m;
struct ant__p;

/* ---- lists of Gs, linked by g->next ---- */

struct ant__glist {
    struct ant__g *head, *tail;
    int n;
};

/* ---- timers (timer.c) ---- */

struct ant__wheel;

struct ant__timer {
    uint64_t tick;                      /* when, in ticks of the wheel */
    struct ant__timer *next, **link;    /* in its slot */
    _Atomic(struct ant__wheel *) wheel; /* NULL: not pending */
    /* Called under the wheel's lock when it is due; appends to *out what is to run. Returns when to
     * fire again, 0: not at all. The wheel lets go of it only after that: who learns by it that the
     * timer has fired must disarm it, which waits for the wheel, before he arms or frees it. NULL:
     * the timer lies in the stack of a sleeping G. */
    ant_time (*fire)(struct ant__timer *t, struct ant__p *p, struct ant__glist *out);
    struct ant__timer *ahead; /* a hint: one that comes some places later */
};

enum {
    ANT__WHEEL_TICK_BITS = 14, /* a tick is 16384 ns */
    ANT__WHEEL_L0_BITS = 10,
    ANT__WHEEL_L0 = 1 << ANT__WHEEL_L0_BITS,
    ANT__WHEEL_BITS = 6,
    ANT__WHEEL_LEVELS = 6, /* above level 0 */
    ANT__WHEEL_RECENT = 8,
    ANT__WHEEL_FIRE = 128, /* timers at a time */
};

struct ant__wheel {
    struct ant__lock lock;
    int64_t count;
    uint64_t now;         /* ticks up to here have fired */
    _Atomic int64_t next; /* ns; no pending timer is due before it. ANT__NEVER: none */
    unsigned placed;      /* timers, so far */
    struct ant__timer *recent[ANT__WHEEL_RECENT]; /* the last ones; hints, which may be stale */
    uint64_t l0_used[ANT__WHEEL_L0 / 64];
    uint64_t used[ANT__WHEEL_LEVELS];
    struct ant__timer *l0[ANT__WHEEL_L0];
    struct ant__timer *firsts[ANT__WHEEL_L0][ANT__WHEEL_RECENT]; /* of level 0; hints as well */
    struct ant__timer *slots[ANT__WHEEL_LEVELS][1 << ANT__WHEEL_BITS];
};

/* ---- G and stack ----
 *
 * A goroutine that has not begun is one cache line, its G. All else that belongs to a goroutine
 * lies in its stack's record, which comes with the first run: so a million goroutines that wait for
 * their turn cost 64 MB, and those that never park share a handful of stacks. */

enum ant__g_state {
    ANT__G_FREE,
    ANT__G_RUNNABLE,
    ANT__G_RUNNING,
    ANT__G_WAITING,
};

enum ant__reason {
    ANT__WAIT_NONE,
    ANT__WAIT_SLEEP,
    ANT__WAIT_WAITGROUP,
    ANT__WAIT_SEND,
    ANT__WAIT_RECV,
    ANT__WAIT_SEND_NULL,
    ANT__WAIT_RECV_NULL,
    ANT__WAIT_SELECT,
    ANT__WAIT_SELECT_NULL,
    ANT__WAIT_MUTEX,
    ANT__WAIT_RWMUTEX,
    ANT__WAIT_COND,
    ANT__WAIT_SEM,
    ANT__WAIT_SUBMIT,
    ANT__WAIT_POOL,
    ANT__WAIT_READ,
    ANT__WAIT_WRITE,
    ANT__WAIT_TEST,
};

enum ant__g_flags {
    ANT__G_EXCEPTIONS = 1, /* there is C++: stack->exceptions (exception.h) */
    ANT__G_CANARY = 2,     /* check the stack's canary whenever it is left */
    ANT__G_LOCKED = 4,     /* tied to stack->locked_m */
    ANT__G_ANNEX = 8,      /* arg points to an annex; not begun */
    ANT__G_FENV = 16,      /* has a floating-point environment of its own, stack->fenv */
    ANT__G_BELOW = 32,     /* its frames begin below its argument, not at the top of the stack */
    ANT__G_PREEMPT = 64,   /* may be interrupted (preempt.c); it alone changes this while it runs */
    ANT__G_BLOCKING = 128, /* between calls into the runtime it may block its thread (seize.c) */
};

struct ant__g {
    struct ant__g *next;      /* in a run queue or free list */
    void *sp;                 /* while not running; before it began: see runq.c */
    struct ant__stack *stack; /* NULL: it has not begun */
    void (*fn)(void *);
    void *arg;
    uint64_t id;
    void *creator; /* where ant_go was called */
    _Atomic uint8_t state;
    uint8_t reason;
    _Atomic uint8_t flags; /* changed by the one who runs or makes it; read by others */
    uint8_t stack_class;
    int32_t parent; /* the creator's id minus ours; 0: not known */
} ant__aligned_line;

_Static_assert(sizeof(struct ant__g) == ANT__CACHE_LINE, "a G is one cache line");

static inline uint8_t ant__g_is(const struct ant__g *g, uint8_t flag)
{
    return ant__load_relaxed(&g->flags) & flag;
}

static inline void ant__g_set(struct ant__g *g, uint8_t flag)
{
    ant__store_relaxed(&g->flags, ant__load_relaxed(&g->flags) | flag);
}

static inline void ant__g_clear(struct ant__g *g, uint8_t flag)
{
    ant__store_relaxed(&g->flags, ant__load_relaxed(&g->flags) & (uint8_t)~flag);
}

/* What ant_go_copy and ant_go_opts give along, until the goroutine begins: lies in a G's place. */
struct ant__annex {
    const char *name;
    uint32_t size; /* of args; 0: arg counts */
    void *arg;
    char args[ANT__ARGS_INLINE];
};

_Static_assert(sizeof(struct ant__annex) <= offsetof(struct ant__g, state),
               "an annex lies in a G's place and must look like a free G");

/* What panic, try and defer keep for a goroutine or a plain thread (panic.c). */
struct ant__unwind {
    struct ant__try *tries;
    ant_defer_node *defers;
    bool exiting; /* ant_exit is at work */
};

struct ant__arena;

/* Lies at the top of its slot, in the page that a goroutine touches anyway. */
struct ant__stack {
    /* What a sleep needs, in one cache line. */
    struct ant__g *g; /* the goroutine that is bound */
    ant_time since;   /* of its last parking, as the P's cached clock had it */
    struct ant__timer timer;

    struct ant__stack *next;  /* in a free list */
    struct ant__stack *ahead; /* the same, a hint: one some places further on */
    char *low;                /* lowest usable byte */
    struct ant__arena *arena;
    uint32_t slot;
    uint8_t cls;
    uint8_t g_flags; /* of all goroutines that are bound */
    bool canary;     /* no guard below: a magic word at low instead */
    bool opened;     /* the upper part of the guard was opened after an overflow */
    struct ant__track track;

    /* Of the goroutine that is bound; cleared when it ends. */
    const char *name;
    struct ant__m *locked_m;
    int lock_depth;
    struct ant__unwind unwind;
    void *locals;                      /* local.c */
    struct ant__fenv fenv;             /* while not running */
    struct ant__exceptions exceptions; /* the same */
    _Alignas(16) char args[ANT__ARGS_INLINE];
};

struct ant__stack_list {
    struct ant__stack *head;
    int n;
};

/* Slots of an arena that a P has reserved, and not opened yet (stack.c). */
struct ant__stack_run {
    struct ant__arena *arena;
    uint32_t first, n;
    bool guarded; /* all of them are */
};

/* ---- P ---- */

enum ant__p_use { ANT__P_OUT, ANT__P_IDLE, ANT__P_HELD };

struct ant__p {
    int id;
    enum ant__p_use use;      /* under sched.lock */
    bool unwatched;           /* its first timer was armed by an M that is about to look for work */
    bool crowded;             /* there are, or were a moment ago, many in its ring */
    bool own_first;           /* who had it before is in the global queue, or will be soon */
    bool timers_first;        /* it comes from a sleeper, or was lent to a thread: behind a crowd of
                            that kind a timer would be late */
    int budget;               /* goroutines to run before g0 looks beyond the own queue */
    int stride;               /* what budget is set to; grows while slices are short */
    int until_global;         /* goroutines to run before the global queue comes first */
    uint64_t global_switches; /* when it last did, */
    ant_time global_at;       /* and when that was */
    ant_time now;             /* the clock when last read for this P */
    struct ant__p *next_idle;
    struct ant__m *m; /* who holds it, or was promised it; under sched.lock */
    struct {          /* what sysmon saw when it last looked (seize.c) */
        uint64_t switches;
        struct ant__m *m;        /* in a section, */
        uint32_t sections;       /* and in which */
        ant_time since;          /* since when it has not switched */
        ant_time blocking_since; /* since when it is in the same section */
    } watched;
    struct ant__g *g_free; /* free Gs, see g.c */
    int g_free_n;
    struct ant__g *g_spare;   /* a full chain, or NULL */
    uint64_t id_next, id_end; /* goroutine numbers at hand */
    struct ant__random random;
    struct ant__stack_list stacks[ANT__STACK_CLASSES];
    struct ant__stack_run stack_runs[ANT__STACK_CLASSES];

    _Atomic uint64_t created, ended, switches, steals, stolen;
    _Atomic int64_t polled_at;  /* when it last looked for descriptors */
    uint64_t poll_after;        /* so many switches it may, while busy */
    _Atomic int64_t io_waiting; /* a share of how many wait for descriptors; may be negative */

    struct ant__runq runq ant__aligned_line;
    struct ant__wheel wheel ant__aligned_line;
};

/* ---- M ---- */

/* Commits a parking: called when the goroutine's stack is no longer in use, on whichever stack
 * comes next; from here on others may ready g. False: do not park, go on at once. */
typedef bool ant__commit_fn(struct ant__m *m, struct ant__g *g, void *arg);

struct ant__m {
    /* Who owns the P: see ant__enter. */
    _Atomic uint32_t user;
    _Atomic uint32_t claim;

    struct ant__g *g; /* running, NULL on g0; sysmon looks at it, see ant__m_runs */
    struct ant__p *p;
    void *sp; /* of g0 while a goroutine runs */
    int *errno_at;
    struct ant__exceptions *exceptions; /* of the thread (exception.h) */
    _Atomic pid_t tid;                  /* 0 until the thread runs */

    ant__commit_fn *commit;
    void *commit_arg;

    struct ant__g *chosen; /* g0 is to run this next */
    struct ant__g *locked_g;
    struct ant__p *next_p; /* handed over with a wake-up */
    struct ant__note note;
    bool spinning;
    int naps;    /* in a row */
    bool idle;   /* on the idle list; under sched.lock */
    bool ended;  /* the thread is to end: its locked goroutine did, or it is one too many */
    bool stuck;  /* it is one of sched.stuck_ms_n ... */
    bool ending; /* ... and of sched.ending_ms_n */
    bool orphan; /* did not end in time when the runtime was stopped */

    /* See seize.c. */
    bool bare;                 /* under sched.lock */
    bool runs_bare;            /* bare, and in no blocking section: of sched.run_bare */
    _Atomic uint32_t sections; /* blocking sections begun */
    ant_duration cpu;          /* that its thread had used when last asked, */
    ant_time cpu_at;           /* and when that was */
    bool hog;                  /* it computes, rather than to sleep in a call */

    struct ant__m *next_idle;
    struct ant__m *next_all;
    pthread_t thread;
    void *altstack;
    size_t altstack_size;
    struct ant__track track; /* of g0 */
} ant__aligned_line;

/* The goroutine that m runs, for other threads: it may have changed since, but stays a G. */
static inline struct ant__g *ant__m_runs(const struct ant__m *m)
{
    return __atomic_load_n(&m->g, __ATOMIC_RELAXED);
}

static inline void ant__m_set_g(struct ant__m *m, struct ant__g *g)
{
    __atomic_store_n(&m->g, g, __ATOMIC_RELAXED);
}

/* Bits of m->claim: why its thread must not go on as usual. */
enum {
    ANT__CLAIM_STOP = 1,     /* the runtime is stopping: abandon the goroutine, end the thread */
    ANT__CLAIM_PAUSE = 2,    /* wait until the pause is over (pause.c) */
    ANT__CLAIM_FORKED = 4,   /* this is the child of a fork */
    ANT__CLAIM_RECORD = 128, /* record each goroutine before it runs on (record.c) */
    ANT__CLAIM_CHECK = 256,  /* some stacks have no guard: each entry checks (stack.c); stays set */
    ANT__CLAIM_FENCE = 8,    /* there is no membarrier: each entry makes a fence of its own */
    /* seize.c: */
    ANT__CLAIM_YIELD = 16,    /* its goroutine has run for long: let others run */
    ANT__CLAIM_BLOCKING = 32, /* it is in a blocking section (set by itself) */
    ANT__CLAIM_TAKEN = 64,    /* it has lost its P */
};

/* Values of m->user: does the thread touch M, P and what all share? */
enum {
    ANT__INSIDE = 0,
    ANT__IN_USER_CODE = 1,
    ANT__ASLEEP = 2, /* on g0 */
};

/* ---- what all share ---- */

enum ant__life { ANT__OFF, ANT__RUNNING, ANT__STOPPING, ANT__FORKED };

struct ant__sched {
    _Atomic int life;
    _Atomic uint64_t run; /* how often it was started */
    uint32_t claims;      /* for new Ms; under lock */
    ant_config config;
    _Atomic bool main_mode; /* started by ant_run */
    struct ant__fenv fenv;  /* what goroutines run with unless they have their own */
    int default_class;

    struct ant__lock lock;
    struct ant__glist global; /* run queue */
    _Atomic int global_n;
    struct ant__m *idle_ms;
    struct ant__m *all_ms;
    struct ant__m *ended_ms; /* threads to be joined */
    int ms, idle_ms_n;       /* all; asleep for lack of work */
    int stuck_ms_n;          /* waiting for their own goroutine to run, or about to end */
    int ending_ms_n;         /* about to end */
    int bare_ms_n;           /* in user code without P */
    _Atomic bool told_no_thread;
    struct ant__p *idle_ps;
    struct ant__m *keeper;
    _Atomic int64_t keeper_until;       /* ANT__NEVER: no keeper */
    struct ant__note all_gone;          /* the last M ended */
    _Atomic int64_t foreign_io_waiting; /* as p->io_waiting, by who has no P */
    _Atomic bool sysmon_looks;          /* and so may have goroutines in its hands */
    _Atomic uint64_t foreign_created;   /* goroutines made by threads that are no Ms */
    bool main_exited;                   /* the main goroutine called ant_exit */

    _Atomic int procs;    /* Ps that may be used */
    _Atomic int all_ps_n; /* Ps that were ever used: what thieves look at */
    _Atomic(struct ant__p *) all_ps[ANT__MAX_PROCS];
    _Atomic uint64_t idle_mask[ANT__MAX_PROCS / 64];

    _Atomic uint64_t next_id;
    _Atomic uint64_t wakeups;
    _Atomic int run_bare;           /* Ms that go on without P after a blocking section */
    _Atomic int foreign_inside;     /* threads that are no Ms inside ant_go and the like */
    _Atomic int foreign_waiting;    /* ... and asleep in a wait of ours */
    _Atomic uint64_t foreign_woken; /* times such a one was woken */

    /* The words that every wake-up reads, away from those that change often. */
    _Atomic int idle_ps_n ant__aligned_line;
    _Atomic int spinning;
    _Atomic(struct ant__m *) napper; /* of the spinning ones, one that naps; see search.c */
    _Atomic int64_t nap_until;
    _Atomic bool unwatched; /* sysmon sleeps, as all Ps were idle */
};

extern struct ant__sched ant__sched;

/* ---- tls.c ---- */

/* Marks the instructions from label 1 to label 2 as a window, in which no signal takes the
 * goroutine to another thread. The addresses are collected by the linker, relative to where they
 * stand. */
#define ANT__WINDOW                                                                                \
    ".pushsection ant_windows, \"a\"\n\t"                                                          \
    ".balign 4\n\t"                                                                                \
    ".long 1b - ., 2b - .\n\t"                                                                     \
    ".popsection\n\t"

/* The M of this thread; NULL if it is none of ours. A goroutine that may be interrupted keeps its M
 * only inside of the runtime: else use ant__self, ant__enter or ant__hold. */
static inline struct ant__m *ant__m(void)
{
    struct ant__m *m;

#if defined(__x86_64__)
    __asm__ volatile("movq ant__this_m@gottpoff(%%rip), %0\n\t"
                     "movq %%fs:(%0), %0"
                     : "=r"(m));
#else
    uint64_t offset;

    __asm__ volatile("adrp %1, :gottprel:ant__this_m\n\t"
                     "ldr %1, [%1, :gottprel_lo12:ant__this_m]\n\t"
                     "mrs %0, tpidr_el0\n\t"
                     "ldr %0, [%0, %1]"
                     : "=&r"(m), "=&r"(offset));
#endif
    return m;
}

/* The calling goroutine; NULL in a thread that is none of ours, and on g0. */
static inline struct ant__g *ant__self(void)
{
    struct ant__g *g;

#if defined(__x86_64__)
    __asm__ volatile("1:\tmovq ant__this_m@gottpoff(%%rip), %0\n\t"
                     "movq %%fs:(%0), %0\n\t"
                     "testq %0, %0\n\t"
                     "jz 2f\n\t"
                     "movq %c1(%0), %0\n"
                     "2:\n\t" ANT__WINDOW
                     : "=r"(g)
                     : "i"(offsetof(struct ant__m, g))
                     : "cc", "memory");
#else
    uint64_t offset;

    __asm__ volatile("1:\tadrp %1, :gottprel:ant__this_m\n\t"
                     "ldr %1, [%1, :gottprel_lo12:ant__this_m]\n\t"
                     "mrs %0, tpidr_el0\n\t"
                     "ldr %0, [%0, %1]\n\t"
                     "cbz %0, 2f\n\t"
                     "ldr %0, [%0, %2]\n"
                     "2:\n\t" ANT__WINDOW
                     : "=&r"(g), "=&r"(offset)
                     : "i"(offsetof(struct ant__m, g))
                     : "memory");
#endif
    return g;
}

void ant__set_m(struct ant__m *m);
struct ant__unwind *ant__thread_unwind(void);

/* In between, the calling thread is not cancelled: it would take a lock of ours along, and much of what
 * we call is a cancellation point. May be nested. Without changing threads in between. */
void ant__cancel_off(void);
void ant__cancel_back(void);

/* ---- entering and leaving the runtime (who owns a P) ----
 *
 * Every public function that touches M or P begins with ant__enter and ends with ant__leave. While
 * m->user is not 0 the thread promises to touch neither, so that another thread may pause it or
 * take its P away: it sets a bit of m->claim, makes a membarrier, and reads m->user. If that is not
 * 0, every later entry sees the claim and goes the slow way; if it is 0, the thread is inside and
 * will meet the claim before it resumes a goroutine. The store of user and the load of claim need
 * only be ordered for the compiler: the membarrier on the other side orders them for the CPU. */

struct ant__m *ant__enter_slow(struct ant__m *m);

_Static_assert(offsetof(struct ant__m, user) == 0 && ANT__INSIDE == 0, "as ant__hold has it");

/* The first half of entering: from here on the goroutine stays on this M. What touches nothing but
 * m->claim needs no more, before it leaves. NULL as for ant__m. */
static inline struct ant__m *ant__hold(void)
{
    struct ant__m *m;

#if defined(ANT__TSAN) /* it must see the store; and nobody is interrupted */
    m = ant__m();
    if (m)
        ant__store_relaxed(&m->user, ANT__INSIDE);
#elif defined(__x86_64__)
    __asm__ volatile("1:\tmovq ant__this_m@gottpoff(%%rip), %0\n\t"
                     "movq %%fs:(%0), %0\n\t"
                     "testq %0, %0\n\t"
                     "jz 2f\n\t"
                     "movl $0, (%0)\n"
                     "2:\n\t" ANT__WINDOW
                     : "=r"(m)
                     :
                     : "cc", "memory");
#else
    uint64_t offset;

    __asm__ volatile("1:\tadrp %1, :gottprel:ant__this_m\n\t"
                     "ldr %1, [%1, :gottprel_lo12:ant__this_m]\n\t"
                     "mrs %0, tpidr_el0\n\t"
                     "ldr %0, [%0, %1]\n\t"
                     "cbz %0, 2f\n\t"
                     "str wzr, [%0]\n"
                     "2:\n\t" ANT__WINDOW
                     : "=&r"(m), "=&r"(offset)
                     :
                     : "memory");
#endif
    return m;
}

static inline struct ant__m *ant__enter(void)
{
    struct ant__m *m = ant__hold();

    if (ant__unlikely(!m))
        return NULL;
    atomic_signal_fence(memory_order_seq_cst);
    if (ant__unlikely(ant__load_acquire(&m->claim))) /* acquire: a pause that is over */
        return ant__enter_slow(m);
    return m;
}

static inline void ant__leave(struct ant__m *m)
{
    /* release: what we did inside is seen by who finds us outside */
    ant__store_release(&m->user, ANT__IN_USER_CODE);
}

void ant__barrier_all(void); /* the membarrier, or what does in its place */

/* The same around a sleep of g0. */
void ant__rest(struct ant__m *m);
void ant__unrest(struct ant__m *m);

/* The same for threads that are no Ms, and without goroutine: true if the runtime is running, which
 * it then stays until ant__foreign_leave. */
bool ant__foreign_enter(void);
ANT_NORETURN void ant__fatal_forked(void);

/* ---- stop.c ---- */

void ant__stop_begin(void);   /* from here on no goroutine is resumed */
int ant__stop_now(void);      /* ant_stop, by who may change the runtime's life */
bool ant__foreign_gone(void); /* waits until they are; false: not in time */
void ant__free_all(bool unmap);
extern ant_duration ant__stop_tell_after, ant__stop_inside_for; /* for tests */
void ant__foreign_leave(void);

/* ---- binding.c ---- */

bool ant__binds_late(void); /* the program binds functions when they are first called */

/* ---- stack.c ---- */

void ant__stacks_init(void);
void ant__stacks_free(bool unmap);
int ant__stack_class(size_t size);                /* or -EINVAL */
int ant__stack_refill(struct ant__p *p, int cls); /* makes the P's cache non-empty, or -errno */
void ant__stack_spill(struct ant__stack_list *list, int cls, int keep);
void ant__stack_run_drop(struct ant__stack_run *run);        /* others may have its slots */
int ant__stack_make(struct ant__stack **ret_stack, int cls); /* for threads without P */
/* For stacks with a canary: aborts with a report if g has overwritten it, or `at`, the lowest place that
 * it uses, lies below; or if the goroutine whose stack lies above has overflown into g's. */
void ant__stack_check(const struct ant__g *g, const void *at);
/* The same for g that enters; it must have some more room (tools/stackdepth). */
enum { ANT__STACK_ENTRY = 624 };
void ant__stack_check_entry(const struct ant__g *g, const void *sp);
bool ant__stacks_trimmable(void);
/* Until then, or until the note is posted; false: nothing is left to be trimmed. */
bool ant__stacks_trim(const struct ant__note *note, ant_time until);
bool ant__stack_hit(const struct ant__stack *s, const void *address); /* in its guard */
const struct ant__g *ant__stack_overflown(const void *address);
/* Whether `at` lies in the stack, with 1 KB more below. opened: what ant__stack_open gave counts
 * too. */
bool ant__stack_holds(const struct ant__stack *s, const void *at, bool opened);
bool ant__stack_open(struct ant__stack *s); /* gives an overflown stack a few pages more */
void ant__stack_reguard_slow(struct ant__stack *s);
/* Takes them back. */
static inline void ant__stack_reguard(struct ant__stack *s)
{
    if (ant__unlikely(s->opened))
        ant__stack_reguard_slow(s);
}
size_t ant__stack_size(const struct ant__stack *s);
/* Whether the calling goroutine has so small a stack that 2 KB of it are too much to ask for. */
static inline bool ant__stack_is_small(void)
{
    const struct ant__g *g = ant__self();

    return g && g->stack_class < ANT__STACK_ROOMY_CLASS;
}
ANT_NORETURN void ant__stack_overflow(const struct ant__g *g, const void *address);
void ant__stack_stats(ant_stats *stats);

enum { ANT__STACK_CACHE = 64 };

static inline void *ant__stack_top(struct ant__stack *s)
{
    return s; /* the record lies above the first frame */
}

static inline struct ant__stack *ant__stack_pop(struct ant__p *p, int cls)
{
    struct ant__stack *s = p->stacks[cls].head;

    if (s) {
        p->stacks[cls].head = s->next;
        p->stacks[cls].n--;
    }
    return s;
}

static inline void ant__stack_push(struct ant__p *p, struct ant__stack *s)
{
    struct ant__stack_list *list = &p->stacks[s->cls];

    s->next = list->head;
    list->head = s;
    if (ant__unlikely(++list->n > ANT__STACK_CACHE))
        ant__stack_spill(list, s->cls, ANT__STACK_CACHE / 2);
}

/* ---- g.c ---- */

void ant__gs_free(bool unmap); /* false: forget them, a thread is left that may use them */
struct ant__g *ant__g_get_slow(struct ant__p *p);
void ant__g_put_slow(struct ant__p *p);  /* p->g_free is a full chain */
void ant__g_drain(struct ant__p *p);     /* gives all of p's away */
struct ant__g *ant__g_get_foreign(void); /* for threads without P */
void ant__g_put_foreign(struct ant__g *g);
uint64_t ant__g_new_ids(struct ant__p *p);
/* Calls visit for every G that is in use, or was a moment ago. */
void ant__g_visit(void (*visit)(struct ant__g *g, void *arg), void *arg);
int ant__g_count(void);
_Atomic uint8_t *ant__g_mark(const struct ant__g *g); /* whether it is recorded (record.c) */
void ant__g_marks_clear(void);

enum { ANT__G_CHAIN = 32 };

static inline struct ant__g *ant__g_get(struct ant__p *p)
{
    struct ant__g *g = p->g_free;

    if (ant__unlikely(!g))
        return ant__g_get_slow(p);
    p->g_free = g->next;
    p->g_free_n--;
    return g;
}

static inline void ant__g_put(struct ant__p *p, struct ant__g *g)
{
    ant__store_relaxed(&g->state, ANT__G_FREE);
    g->next = p->g_free;
    p->g_free = g;
    if (ant__unlikely(++p->g_free_n == ANT__G_CHAIN))
        ant__g_put_slow(p);
}

static inline uint64_t ant__g_new_id(struct ant__p *p)
{
    return ant__likely(p->id_next < p->id_end) ? p->id_next++ : ant__g_new_ids(p);
}

static inline void ant__glist_push(struct ant__glist *list, struct ant__g *g)
{
    g->next = NULL;
    if (list->tail)
        list->tail->next = g;
    else
        list->head = g;
    list->tail = g;
    list->n++;
}

static inline struct ant__g *ant__glist_pop(struct ant__glist *list)
{
    struct ant__g *g = list->head;

    if (g) {
        list->head = g->next;
        if (!list->head)
            list->tail = NULL;
        list->n--;
    }
    return g;
}

/* ---- sched.c ---- */

/* Suspend the running goroutine; the M it goes on with is returned. requeue: it goes to the end of
 * the global queue; m may be without P. */
struct ant__m *ant__requeue(struct ant__m *m);
struct ant__m *ant__park(struct ant__m *m, enum ant__reason reason, ant__commit_fn *commit,
                         void *arg);
struct ant__m *ant__reschedule(struct ant__m *m); /* yield */
/* What belongs to the goroutine itself at its end, destructors of locals for instance: user code. */
struct ant__m *ant__g_end_user_side(struct ant__m *m);
ANT_NORETURN void ant__g_finish(struct ant__m *m);  /* end, from anywhere on its stack */
ANT_NORETURN void ant__g_abandon(struct ant__m *m); /* the runtime is stopping */
void ant__g_main(struct ant__m *m, uintptr_t left); /* where a goroutine begins */

/* Makes goroutines runnable. m: the caller's M, NULL for other threads (between
 * ant__foreign_enter and ant__foreign_leave). */
void ant__ready(struct ant__m *m, struct ant__g *g);
void ant__ready_list(struct ant__p *p, struct ant__glist *list); /* p may be NULL */

/* Gives g its stack. */
void ant__g_bind(struct ant__p *p, struct ant__g *g, struct ant__stack *s);

void ant__sleep_as_thread(ant_duration d);

/* ant_go for who is inside (m), or a thread that is no M (NULL). */
int ant__go(struct ant__m *m, void (*fn)(void *), void *arg, int cls, void *creator);

/* A G that is ready to be queued (go.c), or NULL: out of memory. */
struct ant__g *ant__g_new(struct ant__p *p, void (*fn)(void *), void *arg, int cls);

void ant__run_next(struct ant__p *p,
                   struct ant__g *g);       /* g, which is runnable, goes before all others */
void ant__runq_to_global(struct ant__p *p); /* all that p has; the caller holds p */
void ant__all_to_global(struct ant__p *p);  /* and what others have; p's queue is empty */

void ant__schedule(struct ant__m *m); /* the life of g0 */
/* One to run, and with `batch` a fair share more for the own queue, which is nearly empty then. */
struct ant__g *ant__global_take(struct ant__p *p, bool batch);
/* The budget is used up: what runs next for its own sake goes behind the others, and the clock is
 * read. True: there is something else to be done, by g0. */
bool ant__look_around(struct ant__p *p);
/* Calls fn(arg) where there is room: on g0's stack, if a goroutine calls, whose own may have 2 KB.
 * fn must not suspend. */
void ant__with_room(void (*fn)(void *), void *arg);
/* The same if the goroutine's own stack has less than `need` bytes left (base/room.h). */
enum { ANT__ROOM_TO_WAKE = 2 << 10 }; /* a thread, if need be after it has been made */
void ant__with_room_for(size_t need, void (*fn)(void *), void *arg);
bool ant__work_waits(void);  /* in any queue */
bool ant__work_queues(void); /* the same, not counting what a P runs next */
void ant__wake_one(void);    /* wake an M if there is an idle P and nobody searches */

/* Bits of the claim for which g0 lets go of everything. */
static inline bool ant__m_claimed(struct ant__m *m)
{
    return ant__load_acquire(&m->claim) & (ANT__CLAIM_STOP | ANT__CLAIM_PAUSE);
}

/* The same, and those for which a goroutine that ends or suspends goes to g0. */
static inline bool ant__g0_is_wanted(struct ant__m *m)
{
    return ant__load_acquire(&m->claim) & (ANT__CLAIM_STOP | ANT__CLAIM_PAUSE | ANT__CLAIM_RECORD);
}

/* ---- search.c ---- */

/* A goroutine to run, with a P; NULL only if there is a claim to be met, or m is to end. */
struct ant__g *ant__find_work(struct ant__m *m);
void ant__stop_spinning(struct ant__m *m);
bool ant__timers_unwatched(void); /* one is due, and there may be nobody else to serve it */

/* ---- m.c: threads ---- */

void ant__m_start(struct ant__p *p, bool spinning); /* wakes or makes an M to run p */
int ant__m_start_first(struct ant__p *p);           /* the same, with an error to tell */
bool ant__m_take_idle_p(struct ant__m *m); /* sets m->p, to NULL if none is idle; sched.lock */
bool ant__m_pass_on(struct ant__m *m);     /* m's P, to another M; false: none can be made */
void ant__p_hand_off(struct ant__p *p);    /* to whom it may concern */
void ant__m_wait_locked(struct ant__m *m);
void ant__m_run_locked(struct ant__m *m, struct ant__g *g);
bool ant__ms_deadlocked(void);      /* under sched.lock; see m.c */
void ant__ms_check_deadlock(void);  /* the same; leaves it to sysmon to look again */
void ant__ms_claim(uint32_t claim); /* sets these bits for all, and wakes the sleeping */
void ant__ms_unclaim(uint32_t claim);
bool ant__ms_outside(struct ant__m *but);   /* all Ms but one are outside of the runtime */
bool ant__ms_wait_ended(ant_time deadline); /* false: not all did by then */
bool ant__ms_none_inside(void);
bool ant__ms_leave_orphans(void); /* those that did not end; true: there are none */
bool ant__ms_joined(void);        /* those that have ended are gone */
int ant__ms_detach(void);         /* those that are not; returns their number */

/* ---- idle.c: threads that have nothing to do ---- */

void ant__m_sleep(struct ant__m *m);   /* until m->p or m->ended is set, or m->claim */
extern ant_duration ant__retire_after; /* an idle M that is one too many; for tests */
bool ant__m_nap(struct ant__m *m, ant_time until, bool polling); /* false: it was roused */
void ant__rouse(void);                                           /* the napper, if there is one */
bool ant__m_wait(struct ant__m *m, ant_time deadline);  /* for its note; false: it is time */
void ant__m_post(struct ant__m *m);                     /* wakes m, wherever it sleeps */
struct ant__m *ant__ms_take_idle(bool *ret_was_keeper); /* or NULL; under sched.lock */
void ant__ms_unlist_idle(struct ant__m *m);             /* under sched.lock */
void ant__timer_armed(ant_time when);                   /* see that somebody watches for it */
void ant__keeper_renew(void); /* the keeper gets up, and is elected anew */
/* What else gives memory back when all has been idle for a while, piece by piece, or NULL. False: there was
 * nothing. only_look: only tells. */
extern _Atomic(bool (*)(bool only_look)) ant__trim_others;

/* ---- pause.c ---- */

int ant__pause_init(void);
/* Stops all goroutines but the caller's where they are: those in user code run on until they enter.
 * False: could not be done within a second. m: the caller's M or NULL. */
bool ant__pause_all(struct ant__m *m);
void ant__resume_all(void);
void ant__pause_here(struct ant__m *m); /* what a paused M does */
void ant__pause_forked(void);           /* whoever had all paused did not come along */

/* ---- seize.c: who owns a P ---- */

/* What an M does that finds one of these claims when it enters. */
struct ant__m *ant__meet_seizure(struct ant__m *m);

/* Enters, and lets others run if that was asked for; the caller may change threads here, and cannot be
 * interrupted. */
struct ant__m *ant__enter_interrupted(void);

/* sysmon's look at all Ps. */
struct ant__look {
    bool acted;       /* took a P, or is about to */
    bool crowd;       /* one from a goroutine that sleeps in a call: more may follow */
    int states_read;  /* of threads */
    int hogs;         /* whose Ps are about to be taken */
    bool blocking;    /* somebody is in a blocking section with a P */
    bool new_section; /* which it was not at the last look */
};
struct ant__look ant__ps_look(ant_time now);
extern ant_duration ant__slice; /* after which a goroutine must let others run; for tests */

/* ---- procs.c ---- */

int ant__procs_default(void);
int ant__procs_quota(void);      /* CPUs by the control group's quota; 0: no limit */
extern const char *ant__fs_root; /* goes before the system's paths; for tests */
int ant__procs_init(int n);
void ant__wheels_drop(void); /* takes all timers off them */
void ant__procs_free(bool unmap);
int ant__procs_resize(struct ant__m *m, int n); /* m: the caller's or NULL */
struct ant__p *ant__p_idle_get(void);           /* under sched.lock */
void ant__p_idle_put(struct ant__p *p);         /* under sched.lock */
/* Empties p, which the caller holds, and lays it out of use; false if it is wanted again. */
bool ant__p_retire(struct ant__p *p);
void ant__p_put(struct ant__p *p); /* one of the two, as their number is now */
struct ant__p *ant__p_at(int i);
bool ant__p_is_idle(int i);

/* The order in which a thief visits n Ps: from a random start by a random stride that has no
 * divisor in common with n, so that each is visited once. */
struct ant__tour {
    uint32_t n, left, at, stride;
};
void ant__tour_start(struct ant__tour *tour, uint32_t n, uint32_t random);
static inline bool ant__tour_next(struct ant__tour *tour, int *ret_at)
{
    if (tour->left == 0)
        return false;
    tour->left--;
    *ret_at = (int)tour->at;
    tour->at = (tour->at + tour->stride) % tour->n;
    return true;
}

/* ---- timer.c ---- */

void ant__wheel_init(struct ant__wheel *w, ant_time now);
/* Arms a timer that is not pending, on the wheel of p. True: it is the first one there, and
 * somebody must watch for it (ant__timer_armed). */
bool ant__timer_arm(struct ant__p *p, struct ant__timer *t, ant_time when);
bool ant__timer_disarm(struct ant__timer *t); /* true: it was pending and will not fire */
/* The same for who has not entered, from any thread. */
int ant__timer_start(struct ant__timer *t, ant_time when); /* 0 or ANT_ENOTRUNNING */
bool ant__timer_stop(struct ant__timer *t);
bool ant__timer_stop_inside(struct ant__m *m, struct ant__timer *t); /* m: as from ant__enter */
/* What fire can do: start a goroutine, now or a little later. Returns what fire is to return. */
ant_time ant__timer_go(struct ant__p *p, void (*fn)(void *), void *arg, struct ant__glist *out);
/* Fires what is due, up to a number; what it makes runnable goes to *out. */
void ant__wheel_run(struct ant__wheel *w, ant_time now, struct ant__p *p, struct ant__glist *out);
void ant__wheel_drop(struct ant__wheel *w);
void ant__wheel_move(struct ant__wheel *to, struct ant__wheel *from);
ant_time ant__timers_next(void); /* over all Ps */
uint64_t ant__timers_count(void);
/* For the stop: what has fired, and whose goroutine will not run any more. Or NULL. */
extern _Atomic(void (*)(void)) ant__cancel_left;

/* ---- wait.c: who waits is a goroutine or a thread ---- */

/* A thread that waits. Lies on its stack. */
struct ant__waiter {
    struct ant__waiter *next;
    _Atomic uint32_t word; /* 1 when woken */
};

void ant__wait_as_thread(struct ant__waiter *w);
void ant__wake_threads(struct ant__waiter *list);
/* Readies parked goroutines, linked by next. m: as from ant__enter. */
void ant__wake_gs(struct ant__m *m, struct ant__g *gs);

/* ---- panic.c, fault.c, dump.c, record.c, local.c, sysmon.c, config.c ---- */

/* The goroutine ends inside of trys and deferred calls; here: the frame of ant_exit. */
void ant__unwind_exit(struct ant__g *g, const void *here);
void ant__unwind_not_empty(struct ant__unwind *u); /* ends the process, or clears what is left */
static inline void ant__unwind_check_empty(struct ant__unwind *u)
{
    /* One branch: it is taken at the end of each goroutine. */
    if (ant__unlikely((uintptr_t)u->defers | (uintptr_t)u->tries | u->exiting))
        ant__unwind_not_empty(u);
}
/* ant_try with 500 bytes less on the stack: if it panicked, *ret_info is to be freed, or is NULL
 * for want of memory. */
int ant__try_lean(void (*fn)(void *), void *arg, ant_panic_info **ret_info);
ANT_NORETURN void ant__panic_signal(int signal, const void *address, bool overflow);

int ant__faults_install(const ant_config *config);
void ant__faults_remove(void);
void ant__fault_stack_set(struct ant__m *m);
void ant__fault_stack_drop(struct ant__m *m);

int ant__dump(int fd, const void *caller); /* ant_dump for who has room; caller as in record.h */
int ant__dump_aside(void);                 /* in a thread of its own; sysmon alone calls it */
bool ant__dump_aside_ended(void);          /* there is no such thread */
/* Lets go of locks whose owners did not come along with a fork. */
void ant__record_forked(void);
void ant__dump_forked(void);
void ant__dump_g(int fd, const struct ant__g *g);
void ant__record_before(struct ant__g *g); /* g is about to run on; for claim RECORD */
ANT_NORETURN void ant__deadlock(void);

void ant__locals_destroy(struct ant__stack *s);

/* Whether the running goroutine has locals, a floating-point environment or a thread of its own, and
 * what takes them from it: the next task of a pool is to find none (go.c). In user code. */
static inline bool ant__g_is_dirty(const struct ant__g *g)
{
    return ant__g_is(g, ANT__G_FENV | ANT__G_LOCKED) || g->stack->locals;
}
void ant__g_clean(struct ant__g *g);
void ant__locals_forget_all(bool and_free);

int ant__sysmon_start(void);
void ant__sysmon_stop(void);
/* Makes a thread from a clean place: one made by a goroutine's thread would inherit what that did
 * to itself (signal mask, CPUs, ...). Blocks; m: the caller's M or NULL. */
int ant__sysmon_thread_create(struct ant__m *m, size_t stack_size, void *(*fn)(void *), void *arg);
void ant__sysmon_suspect_deadlock(void);
void ant__sysmon_rouse_slow(void);
bool ant__sysmon_is_caller(void);
/* A P is no longer idle: see that sysmon watches it. */
static inline void ant__sysmon_rouse(void)
{
    if (ant__unlikely(atomic_load(&ant__sched.unwatched)))
        ant__sysmon_rouse_slow();
}
void ant__sysmon_dump(void);   /* async-signal-safe: asks for a dump */
void ant__sysmon_signal(void); /* the same: a signal is to be delivered */

int ant__config_resolve(ant_config *config, const ant_config *given);

/* No thread but ours, and such as sleep in our waits. */
bool ant__alone(void);

#endif
