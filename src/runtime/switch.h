/* switch.h - leaving one stack for another.
 *
 * ant__switch saves the place where this stack is left in *save_sp, goes on at to_sp, and returns
 * there what is given as `pass`, in registers. What a suspended stack holds, from its sp upwards,
 * is a "frame" of the architecture's own (below), which switch_*.S and unwinders know too.
 *
 * It is inline, ends with an indirect jump, and tells the compiler that no register survives. So
 * the compiler saves just what is live; there is no call to be matched by a return, and the CPU's
 * prediction of returns stays right. (Measured: 1.5 ns; as a function that saves all callee-saved
 * registers, 4 ns ending with a jump and 8 ns with a return, and the returns after it go wrong.) At
 * the resume address the stack pointer is what it was before, so the unwind information of the
 * function around holds there, and gdb and backtrace() walk through.
 *
 * The floating-point environment (rounding mode and so on) is not saved here: reading it costs more
 * than all the rest (mxcsr 5 ns, the x87 control word 3 ns), for the sake of the few that change
 * it. Those say so, by ant_own_fenv, and sched.c swaps it for them.
 */
#ifndef ANT_RUNTIME_SWITCH_H
#define ANT_RUNTIME_SWITCH_H

#include "base/compiler.h"

struct ant__m;

/* What the one who leaves tells the one who goes on: on which M, and who has left, and how
 * (sched.c). */
struct ant__passed {
    struct ant__m *m;
    uintptr_t left;
};

/* The sp for ant__switch so that ant__g_main(pass.m, pass.left) begins at the top of a stack. */
void *ant__switch_prepare(void *top);
/* Throws the present frames away and begins ant__g_main(m, 0) at the top of this same stack. */
__attribute__((noreturn)) void ant__switch_restart(void *top, struct ant__m *m);
/* Calls fn(arg) such that ant__try_leave(*save_sp) makes this call return 1, and an exception of C++ that
 * ends here (see ant__try_personality) 2; else it returns 0. */
int ant__try_call(void **save_sp, void (*fn)(void *), void *arg);
__attribute__((noreturn)) void ant__try_leave(void *sp);
/* Unwinders call it when they come by ant__try_call, as with an exception of C++ (panic.c). */
int ant__try_personality(int version, int actions, uint64_t kind, void *exception, void *context);
void ant__try_caught(void);                      /* where one goes on that ends there, */
void ant__try_caught_exception(void *exception); /* and what is called for it (panic.c) */
/* They call this one when they come by ant__switch_begin (exception.c). */
int ant__bottom_personality(int version, int actions, uint64_t kind, void *exception,
                            void *context);
/* Calls fn(arg) such that an unwinder in it sees the goroutine suspended at sp as the caller. */
void ant__unwind_from(void *sp, void (*fn)(void *), void *arg);

/* Calls fn(arg) on the stack whose free part ends at top. Unwinders see the caller above. */
void ant__call_on(void *top, void (*fn)(void *), void *arg);

void ant__preempt_begin(void); /* where a goroutine that is interrupted goes on (preempt.c) */
void ant__fault_begin(void);   /* where a fault that becomes a panic goes on (fault.c) */

/* The control part of the floating-point environment. */
struct ant__fenv {
    uint32_t mxcsr;   /* x86-64 */
    uint16_t control; /* x86-64: of the x87 */
    uint64_t fpcr;    /* aarch64 */
};

#if defined(__x86_64__)

/* Direction and alignment check: functions expect them to be clear. */
enum { ANT__FLAGS_TO_CLEAR = 0x400 | 0x40000 };

static inline void ant__fenv_save(struct ant__fenv *f)
{
    __asm__ volatile("stmxcsr %0\n\tfnstcw %1" : "=m"(f->mxcsr), "=m"(f->control));
}

static inline void ant__fenv_load(const struct ant__fenv *f)
{
    __asm__ volatile("ldmxcsr %0\n\tfldcw %1" : : "m"(f->mxcsr), "m"(f->control));
}

/* Frame: resume address, rbp. Compiled without red zone, since it pushes. */

#ifdef __AVX512F__
#define ANT__SWITCH_CLOBBERS_AVX512                                                                \
    , "xmm16", "xmm17", "xmm18", "xmm19", "xmm20", "xmm21", "xmm22", "xmm23", "xmm24", "xmm25",    \
        "xmm26", "xmm27", "xmm28", "xmm29", "xmm30", "xmm31", "k1", "k2", "k3", "k4", "k5", "k6",  \
        "k7"
#else
#define ANT__SWITCH_CLOBBERS_AVX512
#endif

static inline __attribute__((always_inline)) struct ant__passed
ant__switch(void **save_sp, void *to_sp, struct ant__passed pass)
{
    __asm__ volatile("pushq %%rbp\n\t"
                     "leaq 1f(%%rip), %%rcx\n\t"
                     "pushq %%rcx\n\t"
                     "movq %%rsp, (%%rdi)\n\t"
                     "movq %%rsi, %%rsp\n\t"
                     "popq %%rcx\n\t"
                     "popq %%rbp\n\t"
                     "notrack jmp *%%rcx\n"
                     "1:\n"
                     : "+a"(pass.m), "+d"(pass.left), "+D"(save_sp), "+S"(to_sp)
                     :
                     : "rbx", "rcx", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15", "memory",
                       "cc", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8",
                       "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15", "st", "st(1)",
                       "st(2)", "st(3)", "st(4)", "st(5)", "st(6)",
                       "st(7)" ANT__SWITCH_CLOBBERS_AVX512);
    return pass;
}

#elif defined(__aarch64__)

static inline void ant__fenv_save(struct ant__fenv *f)
{
    __asm__ volatile("mrs %0, fpcr" : "=r"(f->fpcr));
}

static inline void ant__fenv_load(const struct ant__fenv *f)
{
    __asm__ volatile("msr fpcr, %0" : : "r"(f->fpcr));
}

/* Frame: resume address, x29. */

static inline __attribute__((always_inline)) struct ant__passed
ant__switch(void **save_sp, void *to_sp, struct ant__passed pass)
{
    register struct ant__m *x0 __asm__("x0") = pass.m;
    register uintptr_t x1 __asm__("x1") = pass.left;
    register void **x2 __asm__("x2") = save_sp;
    register void *x3 __asm__("x3") = to_sp;

    __asm__ volatile("adr x9, 1f\n\t"
                     "stp x9, x29, [sp, #-16]!\n\t"
                     "mov x9, sp\n\t"
                     "str x9, [x2]\n\t"
                     "mov sp, x3\n\t"
                     "ldp x16, x29, [sp], #16\n\t"
                     "br x16\n"
                     "1:\n\t"
                     "hint #36\n\t" /* bti j */
                     : "+r"(x0), "+r"(x1), "+r"(x2), "+r"(x3)
                     :
                     : "x4", "x5", "x6", "x7", "x8", "x9", "x10", "x11", "x12", "x13", "x14", "x15",
                       "x16", "x17", "x18", "x19", "x20", "x21", "x22", "x23", "x24", "x25", "x26",
                       "x27", "x28", "x30", "memory", "cc", "v0", "v1", "v2", "v3", "v4", "v5",
                       "v6", "v7", "v8", "v9", "v10", "v11", "v12", "v13", "v14", "v15", "v16",
                       "v17", "v18", "v19", "v20", "v21", "v22", "v23", "v24", "v25", "v26", "v27",
                       "v28", "v29", "v30", "v31");
    return (struct ant__passed){.m = x0, .left = x1};
}

#else
#error "Anthill knows x86-64 and aarch64"
#endif

#endif
