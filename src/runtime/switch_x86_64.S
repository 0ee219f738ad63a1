/* switch_x86_64.S - where stacks begin, try, and walking a suspended stack. See switch.h.
 *
 * The property note claims IBT but no shadow stack: ant__switch leaves by a jump what was entered by
 * a call.
 */

    .macro FUNCTION name
    .globl \name
    .hidden \name
    .type \name, @function
    .p2align 4
\name:
    .cfi_startproc
    endbr64
    .endm

    .macro END name
    .cfi_endproc
    .size \name, . - \name
    .endm

    .macro SAVE reg
    pushq %\reg
    .cfi_adjust_cfa_offset 8
    .cfi_rel_offset \reg, 0
    .endm

    .macro RESTORE reg
    popq %\reg
    .cfi_adjust_cfa_offset -8
    .cfi_restore \reg
    .endm

    .section ant_bottom_text, "ax", @progbits

/* Where a new goroutine begins, with ant__switch's `pass` in rax and rdx. Nothing lies above: the return
 * address is declared undefined, which is where unwinders stop. It is entered behind the nop, so that
 * unwinders, which look one before an address, find this function for one that has not begun. */
FUNCTION ant__switch_begin
    .cfi_personality 0x1b, ant__bottom_personality
    .cfi_undefined rip
    .cfi_undefined rbp
    nop
begin:
    movq %rax, %rdi
    movq %rdx, %rsi
    xorl %ebp, %ebp
    call ant__g_main
    ud2
END ant__switch_begin

    .text

/* void *ant__switch_prepare(void *top) */
FUNCTION ant__switch_prepare
    andq $-16, %rdi /* what a function that is called expects: rsp divisible by 16 before the call */
    leaq -16(%rdi), %rax
    leaq begin(%rip), %rcx
    movq %rcx, (%rax)
    ret
END ant__switch_prepare

/* void ant__switch_restart(void *top, struct ant__m *m) */
FUNCTION ant__switch_restart
    movq %rdi, %rsp
    andq $-16, %rsp
    movq %rsi, %rax
    xorl %edx, %edx
    jmp begin
END ant__switch_restart

/* int ant__try_call(void **save_sp, void (*fn)(void *), void *arg) */
FUNCTION ant__try_call
    .cfi_personality 0x1b, ant__try_personality /* pc-relative, 4 bytes */
    SAVE rbp
    SAVE rbx
    SAVE r12
    SAVE r13
    SAVE r14
    SAVE r15
    subq $8, %rsp
    .cfi_adjust_cfa_offset 8
    fnstcw (%rsp)
    stmxcsr 4(%rsp)
    movq %rsp, (%rdi)
    movq %rdx, %rdi
    call *%rsi
    xorl %eax, %eax
try_return:
    .cfi_remember_state
    addq $8, %rsp
    .cfi_adjust_cfa_offset -8
    RESTORE r15
    RESTORE r14
    RESTORE r13
    RESTORE r12
    RESTORE rbx
    RESTORE rbp
    ret
    .cfi_restore_state
    .globl ant__try_caught
    .hidden ant__try_caught
ant__try_caught: /* where an unwinder goes on that has brought an exception here, in rax */
    endbr64
    movq %rax, %rdi
    call ant__try_caught_exception
    movl $2, %eax
    jmp try_return
END ant__try_call

/* void ant__try_leave(void *sp) */
FUNCTION ant__try_leave
    .cfi_undefined rip
    movq %rdi, %rsp
    fldcw (%rsp)
    ldmxcsr 4(%rsp)
    movl $1, %eax
    jmp try_return
END ant__try_leave

/* void ant__unwind_from(void *sp, void (*fn)(void *), void *arg)
 * Runs on the caller's stack, but says to unwinders that its caller is the suspended goroutine: the
 * canonical frame address is where that one's stack pointer was, the return address where it resumes. */
FUNCTION ant__unwind_from
    SAVE rbx
    movq %rdi, %rbx
    movq %rdx, %rdi
    .cfi_remember_state
    .cfi_def_cfa rbx, 16
    .cfi_offset rip, -16
    .cfi_offset rbp, -8
    .cfi_undefined rbx
    call *%rsi
    .cfi_restore_state
    RESTORE rbx
    ret
END ant__unwind_from

/* void ant__call_on(void *top, void (*fn)(void *), void *arg) */
FUNCTION ant__call_on
    SAVE rbx
    movq %rsp, %rbx
    .cfi_def_cfa_register rbx
    movq %rdi, %rsp
    andq $-16, %rsp
    movq %rdx, %rdi
    call *%rsi
    movq %rbx, %rsp
    .cfi_def_cfa_register rsp
    RESTORE rbx
    ret
END ant__call_on

/* Where fault.c lets a faulting goroutine go on, with the arguments of ant__panic_signal in place. At sp
 * lies the address after the fault, at sp + 8 the stack pointer there: the "return address" and the
 * canonical frame address of this frame, which no call has made. */
FUNCTION ant__fault_begin
    .cfi_escape 0x0f, 3, 0x77, 8, 6 /* CFA: what lies at rsp + 8 */
    .cfi_escape 0x10, 16, 2, 0x77, 0 /* rip: saved at rsp */
    fnstcw -8(%rsp) /* functions expect an empty x87 stack */
    fninit
    fldcw -8(%rsp)
    call ant__panic_signal
    ud2
END ant__fault_begin

/* Where preempt.c lets an interrupted goroutine go on. At sp lies a copy of the ucontext, in which
 * unwinders find the interrupted function as the caller, and which the kernel takes up again: its
 * rt_sigreturn wants sp there. Functions expect an empty x87 stack. From the moment when the
 * goroutine may be interrupted again (ANT__G_PREEMPT) it must not change threads before the kernel has
 * set the signal stack of this one: that is a window. */
    .macro IN_CONTEXT reg, low, high
    .cfi_escape 0x10, \reg, 3, 0x77, \low, \high /* saved at rsp + the SLEB128 number */
    .endm

FUNCTION ant__preempt_begin
    .cfi_signal_frame
    .cfi_escape 0x0f, 4, 0x77, 0xa0, 1, 6 /* CFA: what lies at rsp + 160 */
    IN_CONTEXT 16, 0xa8, 1 /* rip */
    IN_CONTEXT 6, 0xf8, 0 /* rbp */
    IN_CONTEXT 3, 0x80, 1 /* rbx */
    IN_CONTEXT 12, 0xc8, 0
    IN_CONTEXT 13, 0xd0, 0
    IN_CONTEXT 14, 0xd8, 0
    IN_CONTEXT 15, 0xe0, 0
    fninit
    movq %rsp, %rdi
    call ant__preempt_here
1:  orb $64, (%rax)
    movl $15, %eax
    syscall
2:  ud2
END ant__preempt_begin

    .section ant_windows, "a"
    .balign 4
    .long 1b - ., 2b - .

    .section .note.GNU-stack, "", @progbits

    .section .note.gnu.property, "a"
    .p2align 3
    .long 4, 16, 5
    .asciz "GNU"
    .long 0xc0000002, 4, 1, 0 /* IBT, not SHSTK */
