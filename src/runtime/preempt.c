/* preempt.c - interrupting goroutines that allow it, by a signal.
 *
 * A goroutine that computes for long loses its P (seize.c) and runs on as a thread of its own. That
 * is always safe, but a hundred such goroutines are then a hundred threads, and how many may run
 * beside the Ps is limited. Code that only computes can instead be stopped between any two
 * instructions, if it says so (ANT__G_PREEMPT). The steps:
 *   - sysmon has found it running for a slice while others wait, has set YIELD in its M's claim,
 *     and sends the signal to the thread. It knows the goroutine by a racy look at m->g, which is
 *     good enough: a G is always a G, and who is meant by mistake is left alone by the handler.
 *   - The handler, on the thread itself and on its signal stack, sees for certain who was
 *     interrupted, and where. If all is well it copies the signal's frame (every register, vectors
 *     too) to the goroutine's stack, below the red zone, takes ANT__G_PREEMPT away, and changes the
 *     context such that the goroutine goes on in ant__preempt_begin.
 *   - That one, ordinary code of the goroutine by now, enters the runtime and, as YIELD is there, goes
 *     to the end of the global queue; it comes back in its turn, perhaps in another thread, and
 *     leaves.
 *   - The kernel takes the copied frame for that of a signal just handled (rt_sigreturn), so every
 *     register is as it was. It also sets the thread's signal stack and mask from it: the first is
 *     changed in the copy to what the present thread has, the second was checked to be the common
 *     one.
 * If the moment is bad the handler does nothing. sysmon sends the signal again at each look, for a
 * slice, and then takes the P as from anybody else.
 *
 * Bad moments. The goroutine must not change threads
 *   - inside the runtime: m->user tells;
 *   - while it has read its M but not entered yet, or the like: it would go on with another
 *     thread's M. These few instructions are windows, the addresses of which are collected in a
 *     section of their own. They work wherever the compiler puts them, into other functions and
 *     through link-time optimisation too;
 *   - while it reads or writes errno (base/errno.c);
 *   - in libc, malloc, the dynamic linker and such, which hold locks and thread-locals: these
 *     objects' text is left alone, and ours, if it is a shared object. Where malloc is part of the
 *     program itself it cannot be told apart, and nobody is interrupted;
 *   - in a handler of another signal on its stack, or with a signal mask or signal stack of its
 *     own, which the frame would carry to another thread: the context tells.
 *
 * Rejected: switching to the scheduler from the handler itself. It would have to be on the
 * goroutine's stack, where a frame may not fit, the signal would stay blocked in the thread, and
 * all that follows would run as a signal handler. Rejected: saving the registers by hand in
 * ant__preempt_begin. It needs code for each vector extension that comes along, and the flags, the
 * red zone and the jump back all at once, without a register to spare: the kernel can do it.
 * Rejected: a flag in M of whether the goroutine may be interrupted, for sysmon: every switch would
 * have to write it. */
#define _GNU_SOURCE
#include <errno.h>
#include <link.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include "runtime/preempt.h"
#include "runtime/signals.h"

enum {
    TEXTS = 64,
    RED_ZONE = 128,
    MASK_BYTES = 8, /* of a signal mask, to the kernel */
#ifdef ANT__ASAN
    ROOM = 8192, /* for entering the runtime */
#else
    ROOM = 1024,
#endif
};

struct text {
    uintptr_t low, high;
};

static struct {
    int signal; /* 0: off */
    struct sigaction before;
    uint64_t mask;            /* that threads of ours have */
    struct text texts[TEXTS]; /* that are left alone */
    int texts_n;
} preempt;

_Atomic uint64_t ant__preempted;

/* ---- whose code it is ---- */

/* By the beginning of the file's name. */
static const char *const left_alone[] = {
    "libc.",   "libc-",      "ld-",       "libpthread", "libm.",     "libm-",
    "libdl",   "librt",      "libgcc_",   "libubsan",   "libasan",   "libtsan",
    "liblsan", "linux-vdso", "libstdc++", "libc++",     "libunwind",
};

static bool is_left_alone(const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;

    for (size_t i = 0; i < sizeof left_alone / sizeof left_alone[0]; i++) {
        if (strncmp(name, left_alone[i], strlen(left_alone[i])) == 0)
            return true;
    }
    return false;
}

static bool holds(const struct dl_phdr_info *object, uintptr_t at)
{
    for (int i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &object->dlpi_phdr[i];
        uintptr_t low = object->dlpi_addr + segment->p_vaddr;

        if (segment->p_type == PT_LOAD && at >= low && at < low + segment->p_memsz)
            return true;
    }
    return false;
}

static void leave_alone(uintptr_t low, uintptr_t size)
{
    if (preempt.texts_n < TEXTS)
        preempt.texts[preempt.texts_n++] = (struct text){low, low + size};
}

static int collect(struct dl_phdr_info *object, size_t size, void *ret_malloc)
{
    bool has_malloc = holds(object, (uintptr_t)malloc);

    if (!object->dlpi_name[0] || holds(object, getauxval(AT_ENTRY))) /* the program itself */
        return 0;
    *(bool *)ret_malloc |= has_malloc;
    if (!has_malloc && !is_left_alone(object->dlpi_name) && !holds(object, (uintptr_t)collect))
        return 0;
    for (int i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &object->dlpi_phdr[i];

        if (segment->p_type == PT_LOAD && segment->p_flags & PF_X)
            leave_alone(object->dlpi_addr + segment->p_vaddr, segment->p_memsz);
    }
    return 0;
}

static void leave_ours_alone(void)
{
    uintptr_t low;
    size_t size;

    ant__errno_text(&low, &size);
    leave_alone(low, size);
#ifdef ANT_CHAOS
    ant__chaos_text(&low, &size);
    leave_alone(low, size);
#endif
}

static bool in_texts(uintptr_t pc)
{
    for (int i = 0; i < preempt.texts_n; i++) {
        if (pc >= preempt.texts[i].low && pc < preempt.texts[i].high)
            return true;
    }
    return false;
}

/* Made by the linker, see ANT__WINDOW. */
struct window {
    int32_t begin, end; /* each relative to itself */
};
extern const struct window __start_ant_windows[] __attribute__((visibility("hidden")));
extern const struct window __stop_ant_windows[] __attribute__((visibility("hidden")));

/* At its beginning nothing has happened yet, at its end all has. */
static bool in_window(uintptr_t pc)
{
    for (const struct window *w = __start_ant_windows; w < __stop_ant_windows; w++) {
        if (pc > (uintptr_t)&w->begin + (uintptr_t)(intptr_t)w->begin &&
            pc < (uintptr_t)&w->end + (uintptr_t)(intptr_t)w->end)
            return true;
    }
    return false;
}

/* ---- frames ----
 *
 * What rt_sigreturn reads is what the kernel has pushed for the handler. On x86-64 it wants sp at
 * the ucontext, which points to the floating-point state (the size is told there by a magic word;
 * it must be aligned to 64). On aarch64 sp is at a siginfo, which does not matter, and the ucontext
 * with all the state in it is behind. If that did not fit there is an "extra" record: such a
 * goroutine is not interrupted. */

struct place {
    char *frame; /* where sp will be */
    ucontext_t *context;
    char *fp; /* x86-64 */
    size_t fp_size;
};

#if defined(__x86_64__)

enum { FXSAVE = 512, SW_RESERVED = 464, MAGIC = 0x46505853 };
enum { CONTEXT_BYTES = offsetof(ucontext_t, uc_sigmask) + MASK_BYTES };

static uintptr_t pc_of(const ucontext_t *c)
{
    return (uintptr_t)c->uc_mcontext.gregs[REG_RIP];
}

static uintptr_t sp_of(const ucontext_t *c)
{
    return (uintptr_t)c->uc_mcontext.gregs[REG_RSP];
}

static size_t fp_size(const void *state)
{
    const uint32_t *told = (const uint32_t *)((const char *)state + SW_RESERVED);

    return told[0] == MAGIC ? told[1] : FXSAVE;
}

static bool find_place(const ucontext_t *c, struct place *ret_place)
{
    uintptr_t at = sp_of(c) - RED_ZONE;

    if (!c->uc_mcontext.fpregs)
        return false;
    ret_place->fp_size = fp_size(c->uc_mcontext.fpregs);
    at = (at - ret_place->fp_size) & ~(uintptr_t)63;
    ret_place->fp = (char *)at;
    ret_place->frame = (char *)((at - CONTEXT_BYTES) & ~(uintptr_t)15);
    ret_place->context = (ucontext_t *)ret_place->frame;
    return true;
}

static void go_on_at(ucontext_t *c, void (*begin)(void), char *sp)
{
    greg_t *regs = c->uc_mcontext.gregs;

    regs[REG_RSP] = (greg_t)sp;
    regs[REG_RIP] = (greg_t)begin;
    regs[REG_EFL] &= ~(greg_t)ANT__FLAGS_TO_CLEAR;
}

static ucontext_t *context_in(void *frame)
{
    return frame;
}

#elif defined(__aarch64__)

enum { SIGINFO = 128, EXTRA_RECORD = 0x45585401, BRANCH_TYPE = 3 << 10 };
enum { CONTEXT_BYTES = sizeof(ucontext_t) };

static uintptr_t pc_of(const ucontext_t *c)
{
    return c->uc_mcontext.pc;
}

static uintptr_t sp_of(const ucontext_t *c)
{
    return c->uc_mcontext.sp;
}

static bool has_extra(const ucontext_t *c)
{
    const unsigned char *records = c->uc_mcontext.__reserved;
    size_t at = 0;

    while (at + 8 <= sizeof c->uc_mcontext.__reserved) {
        const uint32_t *record = (const uint32_t *)(records + at);

        if (record[0] == EXTRA_RECORD)
            return true;
        if (record[0] == 0 || record[1] == 0)
            return false;
        at += record[1];
    }
    return true;
}

static ucontext_t *context_in(void *frame)
{
    return (ucontext_t *)((char *)frame + SIGINFO);
}

static bool find_place(const ucontext_t *c, struct place *ret_place)
{
    if (has_extra(c))
        return false;
    ret_place->frame = (char *)((sp_of(c) - CONTEXT_BYTES - SIGINFO) & ~(uintptr_t)15);
    ret_place->context = context_in(ret_place->frame);
    return true;
}

static void go_on_at(ucontext_t *c, void (*begin)(void), char *sp)
{
    c->uc_mcontext.sp = (uintptr_t)sp;
    c->uc_mcontext.pc = (uintptr_t)begin;
    c->uc_mcontext.pstate &= ~(unsigned long long)BRANCH_TYPE; /* no landing pad is needed */
}

#endif

/* ASan may know the memory as what earlier frames had there. */
static void carry(void *to, const void *from, size_t size)
{
    ant__track_clear(to, size);
    ant__track_clear(from, size);
    memcpy(to, from, size);
}

static void save(const struct place *place, const ucontext_t *c)
{
    carry(place->context, c, CONTEXT_BYTES);
#if defined(__x86_64__)
    carry(place->fp, c->uc_mcontext.fpregs, place->fp_size);
    place->context->uc_mcontext.fpregs = (fpregset_t)place->fp;
#endif
}

/* ---- the handler ---- */

static bool own_mask(const ucontext_t *c)
{
    return memcmp(&c->uc_sigmask, &preempt.mask, MASK_BYTES) != 0;
}

/* One that has lost its P too, which can only be because its thread did not get a CPU to be
 * interrupted on: it is better off in the queue than beside the Ps. */
static bool is_asked(const struct ant__m *m)
{
    const uint32_t no_matter =
        ANT__CLAIM_FENCE | ANT__CLAIM_TAKEN | ANT__CLAIM_RECORD | ANT__CLAIM_CHECK;

    return (ant__load_relaxed(&m->claim) & ~no_matter) == ANT__CLAIM_YIELD;
}

static bool may_interrupt(const struct ant__m *m, const ucontext_t *c)
{
    return m && m->g && ant__load_relaxed(&m->user) == ANT__IN_USER_CODE && is_asked(m) &&
           ant__g_is(m->g, ANT__G_PREEMPT) && m->altstack && c->uc_stack.ss_sp == m->altstack &&
           !own_mask(c) && !in_texts(pc_of(c)) && !in_window(pc_of(c));
}

static void interrupt(struct ant__m *m, ucontext_t *c)
{
    struct place place;

    if (!may_interrupt(m, c) || !find_place(c, &place) ||
        !ant__stack_holds(m->g->stack, (const void *)sp_of(c), false) ||
        !ant__stack_holds(m->g->stack, place.frame - ROOM, false))
        return;
    save(&place, c);
    go_on_at(c, ant__preempt_begin, place.frame);
    ant__g_clear(m->g, ANT__G_PREEMPT);
    atomic_fetch_add_explicit(&ant__preempted, 1, memory_order_relaxed);
}

void *ant__preempt_here(void *frame)
{
    ucontext_t *c = context_in(frame);
    struct ant__m *m;
    struct ant__g *g;

    /* It may have been converting a number, with the rounding mode changed for just that. */
    ant__fenv_load(&ant__sched.fenv);
    m = ant__enter_interrupted();
    g = m->g;
    ant__leave(m); /* but stays on this m: see ant__stay */
    c->uc_stack = (stack_t){.ss_sp = m->altstack,
                            .ss_size = m->altstack_size,
                            .ss_flags = m->altstack ? 0 : SS_DISABLE};
    return &g->flags;
}

static bool ignored_by_default(int signal)
{
    return signal == SIGURG || signal == SIGCHLD || signal == SIGWINCH || signal == SIGCONT;
}

static void hand_on(int signal, siginfo_t *info, void *context)
{
    if (preempt.before.sa_flags & SA_SIGINFO) {
        preempt.before.sa_sigaction(signal, info, context);
    } else if (preempt.before.sa_handler == SIG_DFL) {
        if (ignored_by_default(signal))
            return;
        sigaction(signal, &preempt.before, NULL);
        raise(signal); /* comes when we return */
    } else if (preempt.before.sa_handler != SIG_IGN) {
        preempt.before.sa_handler(signal);
    }
}

static void on_signal(int signal, siginfo_t *info, void *context)
{
    int saved = ant__errno();

    if (info->si_code == SI_QUEUE && info->si_value.sival_ptr == &preempt)
        interrupt(ant__m(), context);
    else
        hand_on(signal, info, context);
    ant__errno_set(saved);
}

/* ---- sysmon's side ---- */

bool ant__preempt_works(void)
{
    return preempt.signal != 0;
}

/* The same as pthread_sigqueue, which not every libc has. */
static bool send_signal(pid_t tid)
{
    siginfo_t info = {.si_signo = preempt.signal, .si_code = SI_QUEUE};
    int saved = ant__errno();
    bool sent;

    info.si_pid = getpid();
    info.si_uid = getuid();
    info.si_value.sival_ptr = &preempt; /* by which the handler knows it */
    sent = syscall(SYS_rt_tgsigqueueinfo, getpid(), tid, preempt.signal, &info) == 0;
    ant__errno_set(saved);
    return sent;
}

bool ant__preempt_ask(struct ant__m *m)
{
    const struct ant__g *g;
    pid_t tid = ant__load_relaxed(&m->tid);

    if (!preempt.signal || tid == 0)
        return false;
    g = ant__m_runs(m);
    return g && ant__g_is(g, ANT__G_PREEMPT) && send_signal(tid);
}

/* ---- starting and stopping ---- */

/* Not those by which the program is stopped, or a dump asked for. */
bool ant__preempt_usable(int signal)
{
    return ant__signal_is_free(signal) && signal != SIGTSTP && signal != SIGTTIN &&
           signal != SIGTTOU && signal != SIGQUIT;
}

int ant__preempt_install(const ant_config *config)
{
    struct sigaction action = {.sa_sigaction = on_signal,
                               .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART};
    bool apart = false; /* malloc is not part of the program itself */

    preempt.signal = preempt.texts_n = 0;
    if (config->preempt_signal < 0 || !ant__track_signals_are_real())
        return 0;
    dl_iterate_phdr(collect, &apart);
    leave_ours_alone();
    if (!apart || preempt.texts_n == TEXTS)
        return 0;
    syscall(SYS_rt_sigprocmask, SIG_BLOCK, NULL, &preempt.mask, MASK_BYTES);
    if (sigaction(config->preempt_signal, &action, &preempt.before) != 0)
        return -ant__errno();
    preempt.signal = config->preempt_signal;
    return 0;
}

void ant__preempt_remove(void)
{
    struct sigaction now;
    int saved = ant__errno();

    /* Somebody who came after us keeps his own. */
    if (preempt.signal && sigaction(preempt.signal, NULL, &now) == 0 &&
        now.sa_sigaction == on_signal)
        sigaction(preempt.signal, &preempt.before, NULL);
    preempt.signal = 0;
    ant__errno_set(saved);
}
