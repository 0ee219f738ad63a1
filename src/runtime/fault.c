/* fault.c - signals: overflow of a goroutine's stack, faults as panics, SIGQUIT.
 *
 * Each M has an alternate signal stack, since a goroutine's own may be full. The handler of SIGSEGV
 * and SIGBUS first asks whether the address lies in the guard of the running goroutine's stack. If
 * faults are to be panics and the goroutine was in user code, the handler changes the interrupted
 * context such that, on return, the goroutine calls ant__panic_signal as if from the faulting
 * instruction: nothing of the panic runs in the handler. All else goes to the handler that was
 * there before us.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include "runtime/runtime.h"

#ifndef AT_MINSIGSTKSZ /* what the kernel puts on a signal stack */
#define AT_MINSIGSTKSZ 51
#endif

enum { FAULTS = 4 };

static const int signals[FAULTS] = {SIGSEGV, SIGBUS, SIGFPE, SIGQUIT};

static struct {
    struct sigaction before[FAULTS];
    bool installed[FAULTS];
} faults;

static int index_of(int signal)
{
    int i = 0;

    while (signals[i] != signal)
        i++;
    return i;
}

static void hand_on(int signal, siginfo_t *info, void *context)
{
    const struct sigaction *before = &faults.before[index_of(signal)];

    if (before->sa_flags & SA_SIGINFO) {
        before->sa_sigaction(signal, info, context);
    } else if (before->sa_handler != SIG_DFL && before->sa_handler != SIG_IGN) {
        before->sa_handler(signal);
    } else if (before->sa_handler == SIG_DFL || info->si_code > 0) {
        sigaction(signal, &(struct sigaction){.sa_handler = SIG_DFL}, NULL);
        if (info->si_code <= 0) /* sent: it comes again when we return; else it faults again */
            raise(signal);
    }
}

static const void *stack_pointer(const ucontext_t *context)
{
#if defined(__x86_64__)
    return (const void *)context->uc_mcontext.gregs[REG_RSP];
#elif defined(__aarch64__)
    return (const void *)context->uc_mcontext.sp;
#endif
}

/* Lets the interrupted code call ant__panic_signal(signal, address, overflow). */
static void redirect(ucontext_t *context, int signal, const void *address, bool overflow)
{
#if defined(__x86_64__)
    greg_t *regs = context->uc_mcontext.gregs;
    uint64_t sp = ((uint64_t)regs[REG_RSP] - 128) & ~(uint64_t)15; /* below the red zone */

    sp -= 16;
    ((uint64_t *)sp)[0] = (uint64_t)regs[REG_RIP] + 1; /* unwinders look one before */
    ((uint64_t *)sp)[1] = (uint64_t)regs[REG_RSP];
    regs[REG_RSP] = (greg_t)sp;
    regs[REG_RDI] = signal;
    regs[REG_RSI] = (greg_t)address;
    regs[REG_RDX] = overflow;
    regs[REG_RIP] = (greg_t)ant__fault_begin;
    regs[REG_EFL] &= ~(greg_t)ANT__FLAGS_TO_CLEAR;
#elif defined(__aarch64__)
    mcontext_t *mc = &context->uc_mcontext;
    uint64_t *sp = (uint64_t *)(mc->sp & ~(uint64_t)15) - 4;

    sp[0] = mc->pc + 4; /* unwinders look one before */
    sp[1] = mc->sp;
    sp[2] = mc->regs[30];
    mc->sp = (uint64_t)sp;
    mc->regs[0] = (uint64_t)signal;
    mc->regs[1] = (uint64_t)address;
    mc->regs[2] = overflow;
    mc->pc = (uint64_t)ant__fault_begin;
#endif
}

/* A frame without stack probes may have led sp past all that can be opened, or the goroutine may be
 * on a stack of its own making: there is nothing to stand on then. */
static bool can_panic(const struct ant__m *m, const siginfo_t *info, const ucontext_t *context,
                      bool overflow)
{
    return m && m->g && ant__sched.config.fault_panics && info->si_code > 0 &&
           ant__load_relaxed(&m->user) == ANT__IN_USER_CODE &&
           (!overflow || ant__stack_open(m->g->stack)) &&
           ant__stack_holds(m->g->stack, stack_pointer(context), true);
}

/* The goroutine that has overflown its stack, or NULL. At the last moment of a switch the M's is another
 * one already, or none: so the address tells. */
static const struct ant__g *overflown(const struct ant__m *m, const siginfo_t *info)
{
    if (!m)
        return NULL;
    if (m->g && ant__stack_hit(m->g->stack, info->si_addr))
        return m->g;
    return ant__load_relaxed(&m->user) == ANT__INSIDE ? ant__stack_overflown(info->si_addr) : NULL;
}

static void on_fault(int signal, siginfo_t *info, void *context)
{
    int saved = ant__errno();
    struct ant__m *m = ant__m();
    const struct ant__g *g = signal != SIGFPE ? overflown(m, info) : NULL;
    bool overflow = g != NULL;

    if (m && m->g && ant__g_is(m->g, ANT__G_CANARY)) /* before another is blamed for it */
        ant__stack_check(m->g, m->g->stack);
    if (can_panic(m, info, context, overflow))
        redirect(context, signal, info->si_addr, overflow);
    else if (overflow)
        ant__stack_overflow(g, info->si_addr);
    else
        hand_on(signal, info, context);
    ant__errno_set(saved);
}

static void on_quit(int signal, siginfo_t *info, void *context)
{
    ant__sysmon_dump();
}

static bool wanted(int signal, const ant_config *config)
{
    if (signal == SIGQUIT)
        return config->dump_on_quit;
    if (signal == SIGFPE)
        return config->fault_panics;
    return true;
}

int ant__faults_install(const ant_config *config)
{
    for (int i = 0; i < FAULTS; i++) {
        struct sigaction action = {.sa_sigaction = signals[i] == SIGQUIT ? on_quit : on_fault,
                                   .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART};

        faults.installed[i] = wanted(signals[i], config);
        if (faults.installed[i] && sigaction(signals[i], &action, &faults.before[i]) != 0)
            return -ant__errno();
    }
    return 0;
}

void ant__faults_remove(void)
{
    int saved = ant__errno();

    for (int i = 0; i < FAULTS; i++) {
        struct sigaction now;

        /* Somebody who came after us keeps his own. */
        if (faults.installed[i] && sigaction(signals[i], NULL, &now) == 0 &&
            (now.sa_sigaction == on_fault || now.sa_sigaction == on_quit))
            sigaction(signals[i], &faults.before[i], NULL);
        faults.installed[i] = false;
    }
    ant__errno_set(saved);
}

/* Without one an overflow ends in the kernel's plain "segmentation fault"; no reason to give up. */
void ant__fault_stack_set(struct ant__m *m)
{
    size_t least = getauxval(AT_MINSIGSTKSZ);
    stack_t stack = {0};

    m->altstack_size = (least > 0 ? least : 8192) + (64 << 10);
    if (ant__map(&m->altstack, m->altstack_size) != 0) {
        m->altstack = NULL;
        return;
    }
    stack.ss_sp = m->altstack;
    stack.ss_size = m->altstack_size;
    sigaltstack(&stack, NULL);
}

void ant__fault_stack_drop(struct ant__m *m)
{
    if (!m->altstack)
        return;
    sigaltstack(&(stack_t){.ss_flags = SS_DISABLE}, NULL);
    ant__unmap(m->altstack, m->altstack_size);
    m->altstack = NULL;
}
