/* switch_x86_64.S - leaving one stack for another.
 *
 * A suspended goroutine's stack ends like this, from sp upwards:
 *     mxcsr and x87 control word, r15, r14, r13, r12, rbx, rbp, return address
 * All functions here that build or leave such a frame describe it to unwinders in the same way.
 *
 * The way out is an indirect jump, not a ret: the return address was pushed by a call on another
 * stack, so a ret would be mispredicted each time (measured: three times the cost). For the
 * same reason the code cannot run with a shadow stack, and its property note claims IBT only;
 * notrack is there because the targets, being return addresses, begin with no endbr64.
 *
 * The control words are written only if they differ: writing them is dear, and they rarely do.
 */

#define FRAME 64 /* from sp up to and including the return address */

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

    .macro SAVE
    pushq %rbp
    .cfi_adjust_cfa_offset 8
    .cfi_rel_offset rbp, 0
    pushq %rbx
    .cfi_adjust_cfa_offset 8
    .cfi_rel_offset rbx, 0
    pushq %r12
    .cfi_adjust_cfa_offset 8
    .cfi_rel_offset r12, 0
    pushq %r13
    .cfi_adjust_cfa_offset 8
    .cfi_rel_offset r13, 0
    pushq %r14
    .cfi_adjust_cfa_offset 8
    .cfi_rel_offset r14, 0
    pushq %r15
    .cfi_adjust_cfa_offset 8
    .cfi_rel_offset r15, 0
    subq $8, %rsp
    .cfi_adjust_cfa_offset 8
    stmxcsr (%rsp)
    fnstcw 4(%rsp)
    .endm

    .macro RESTORE
    addq $8, %rsp
    .cfi_adjust_cfa_offset -8
    popq %r15
    .cfi_adjust_cfa_offset -8
    .cfi_restore r15
    popq %r14
    .cfi_adjust_cfa_offset -8
    .cfi_restore r14
    popq %r13
    .cfi_adjust_cfa_offset -8
    .cfi_restore r13
    popq %r12
    .cfi_adjust_cfa_offset -8
    .cfi_restore r12
    popq %rbx
    .cfi_adjust_cfa_offset -8
    .cfi_restore rbx
    popq %rbp
    .cfi_adjust_cfa_offset -8
    .cfi_restore rbp
    .endm

    .text

/* void *ant__switch(void **save_sp, void *to_sp, void *pass) */
FUNCTION ant__switch
    SAVE
    movl (%rsp), %r8d
    movzwl 4(%rsp), %r9d
    movq %rsp, (%rdi)
    movq %rsi, %rsp
    movq %rdx, %rax
    cmpl (%rsp), %r8d
    jne 2f
1:  cmpw 4(%rsp), %r9w
    jne 3f
4:
    .cfi_remember_state
    RESTORE
    popq %rcx
    .cfi_adjust_cfa_offset -8
    .cfi_register rip, rcx
    notrack jmp *%rcx
    .cfi_restore_state
2:  ldmxcsr (%rsp)
    jmp 1b
3:  fldcw 4(%rsp)
    jmp 4b
END ant__switch

/* Where a new goroutine begins, with ant__switch's `pass` in rax. Nothing lies above: the return
 * address is declared undefined, which is where unwinders stop. */
FUNCTION ant__switch_begin
    .cfi_undefined rip
    .cfi_undefined rbp
    movq %rax, %rdi
    xorl %ebp, %ebp
    call ant__g_main
    ud2
END ant__switch_begin

/* void *ant__switch_prepare(void *top) */
FUNCTION ant__switch_prepare
    leaq -FRAME(%rdi), %rax /* at its begin the stack is aligned to 16, as before a call */
    andq $-16, %rax
    stmxcsr (%rax)
    fnstcw 4(%rax)
    leaq ant__switch_begin(%rip), %rcx
    movq %rcx, FRAME-8(%rax)
    ret
END ant__switch_prepare

/* void ant__switch_restart(void *top, struct ant__m *m) */
FUNCTION ant__switch_restart
    movq %rdi, %rsp
    andq $-16, %rsp
    movq %rsi, %rax
    jmp ant__switch_begin
END ant__switch_restart

/* int ant__try_call(void **save_sp, void (*fn)(void *), void *arg) */
FUNCTION ant__try_call
    SAVE
    movq %rsp, (%rdi)
    movq %rdx, %rdi
    subq $8, %rsp
    .cfi_adjust_cfa_offset 8
    call *%rsi
    addq $8, %rsp
    .cfi_adjust_cfa_offset -8
    xorl %eax, %eax
    RESTORE
    ret
END ant__try_call

/* void ant__try_leave(void *sp) */
FUNCTION ant__try_leave
    movq %rdi, %rsp
    .cfi_def_cfa rsp, FRAME
    .cfi_rel_offset rip, FRAME-8
    .cfi_rel_offset rbp, FRAME-16
    .cfi_rel_offset rbx, FRAME-24
    .cfi_rel_offset r12, FRAME-32
    .cfi_rel_offset r13, FRAME-40
    .cfi_rel_offset r14, FRAME-48
    .cfi_rel_offset r15, FRAME-56
    ldmxcsr (%rsp)
    fldcw 4(%rsp)
    movl $1, %eax
    RESTORE
    ret
END ant__try_leave

/* void ant__unwind_from(void *sp, void (*fn)(void *), void *arg)
 * Runs on the caller's stack, but says to unwinders that its caller is the suspended goroutine. */
FUNCTION ant__unwind_from
    pushq %rbx
    .cfi_adjust_cfa_offset 8
    .cfi_rel_offset rbx, 0
    movq %rdi, %rbx
    .cfi_remember_state
    .cfi_def_cfa rbx, FRAME
    .cfi_offset rip, -8
    .cfi_offset rbp, -16
    .cfi_offset rbx, -24
    .cfi_offset r12, -32
    .cfi_offset r13, -40
    .cfi_offset r14, -48
    .cfi_offset r15, -56
    movq %rdx, %rdi
    call *%rsi
    .cfi_restore_state
    popq %rbx
    .cfi_adjust_cfa_offset -8
    .cfi_restore rbx
    ret
END ant__unwind_from

    .section .note.GNU-stack, "", @progbits

    .section .note.gnu.property, "a"
    .p2align 3
    .long 4, 16, 5
    .asciz "GNU"
    .long 0xc0000002, 4, 1, 0 /* IBT, not SHSTK */
