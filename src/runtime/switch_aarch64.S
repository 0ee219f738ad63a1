/* switch_aarch64.S - where stacks begin, try, and walking a suspended stack. See switch.h. */

    .macro FUNCTION name
    .globl \name
    .hidden \name
    .type \name, %function
    .p2align 4
\name:
    .cfi_startproc
    hint #34 /* bti c */
    .endm

    .macro END name
    .cfi_endproc
    .size \name, . - \name
    .endm

    .section ant_bottom_text, "ax", %progbits

/* Where a new goroutine begins, with ant__switch's `pass` in x0 and x1. Nothing lies above: the return
 * address is declared undefined, which is where unwinders stop. It is entered behind the nop, so that
 * unwinders, which look one before an address, find this function for one that has not begun. */
FUNCTION ant__switch_begin
    .cfi_personality 0x1b, ant__bottom_personality
    .cfi_undefined x30
    nop
begin:
    hint #36 /* bti j: it is jumped to */
    mov x29, #0
    mov x30, #0
    bl ant__g_main
    brk #1
END ant__switch_begin

    .text

/* void *ant__switch_prepare(void *top) */
FUNCTION ant__switch_prepare
    and x0, x0, #-16
    adr x1, begin
    stp x1, xzr, [x0, #-16]!
    ret
END ant__switch_prepare

/* void ant__switch_restart(void *top, struct ant__m *m) */
FUNCTION ant__switch_restart
    and x0, x0, #-16
    mov sp, x0
    mov x0, x1
    mov x1, #0
    b begin
END ant__switch_restart

/* int ant__try_call(void **save_sp, void (*fn)(void *), void *arg) */
FUNCTION ant__try_call
    .cfi_personality 0x1b, ant__try_personality /* pc-relative, 4 bytes */
    stp x29, x30, [sp, #-176]!
    .cfi_adjust_cfa_offset 176
    .cfi_rel_offset x29, 0
    .cfi_rel_offset x30, 8
    stp x19, x20, [sp, #16]
    .cfi_rel_offset x19, 16
    .cfi_rel_offset x20, 24
    stp x21, x22, [sp, #32]
    .cfi_rel_offset x21, 32
    .cfi_rel_offset x22, 40
    stp x23, x24, [sp, #48]
    .cfi_rel_offset x23, 48
    .cfi_rel_offset x24, 56
    stp x25, x26, [sp, #64]
    .cfi_rel_offset x25, 64
    .cfi_rel_offset x26, 72
    stp x27, x28, [sp, #80]
    .cfi_rel_offset x27, 80
    .cfi_rel_offset x28, 88
    stp d8, d9, [sp, #96]
    stp d10, d11, [sp, #112]
    stp d12, d13, [sp, #128]
    stp d14, d15, [sp, #144]
    mrs x9, fpcr
    str x9, [sp, #160]
    mov x9, sp
    str x9, [x0]
    mov x0, x2
    blr x1
    mov w0, #0
try_return:
    .cfi_remember_state
    ldp d14, d15, [sp, #144]
    ldp d12, d13, [sp, #128]
    ldp d10, d11, [sp, #112]
    ldp d8, d9, [sp, #96]
    ldp x27, x28, [sp, #80]
    ldp x25, x26, [sp, #64]
    ldp x23, x24, [sp, #48]
    ldp x21, x22, [sp, #32]
    ldp x19, x20, [sp, #16]
    ldp x29, x30, [sp], #176
    .cfi_adjust_cfa_offset -176
    .cfi_restore x29
    .cfi_restore x30
    ret
    .cfi_restore_state
    .globl ant__try_caught
    .hidden ant__try_caught
ant__try_caught: /* where an unwinder goes on that has brought an exception here, in x0 */
    hint #36 /* bti j */
    bl ant__try_caught_exception
    mov w0, #2
    b try_return
END ant__try_call

/* void ant__try_leave(void *sp) */
FUNCTION ant__try_leave
    .cfi_undefined x30
    mov sp, x0
    ldr x9, [sp, #160]
    msr fpcr, x9
    mov w0, #1
    b try_return
END ant__try_leave

/* void ant__unwind_from(void *sp, void (*fn)(void *), void *arg)
 * Runs on the caller's stack, but says to unwinders that its caller is the suspended goroutine: the
 * canonical frame address is where that one's stack pointer was, the return address where it resumes. */
FUNCTION ant__unwind_from
    stp x19, x30, [sp, #-16]!
    .cfi_adjust_cfa_offset 16
    .cfi_rel_offset x19, 0
    .cfi_rel_offset x30, 8
    mov x19, x0
    mov x0, x2
    .cfi_remember_state
    .cfi_def_cfa x19, 16
    .cfi_offset x30, -16
    .cfi_offset x29, -8
    .cfi_undefined x19
    blr x1
    .cfi_restore_state
    ldp x19, x30, [sp], #16
    .cfi_adjust_cfa_offset -16
    .cfi_restore x19
    .cfi_restore x30
    ret
END ant__unwind_from

/* void ant__call_on(void *top, void (*fn)(void *), void *arg) */
FUNCTION ant__call_on
    stp x19, x30, [sp, #-16]!
    .cfi_adjust_cfa_offset 16
    .cfi_rel_offset x19, 0
    .cfi_rel_offset x30, 8
    mov x19, sp
    .cfi_def_cfa_register x19
    and x0, x0, #-16
    mov sp, x0
    mov x0, x2
    blr x1
    mov sp, x19
    .cfi_def_cfa_register sp
    ldp x19, x30, [sp], #16
    .cfi_adjust_cfa_offset -16
    .cfi_restore x19
    .cfi_restore x30
    ret
END ant__call_on

/* Where fault.c lets a faulting goroutine go on, with the arguments of ant__panic_signal in place. At sp
 * lie the address after the fault, the stack pointer there, and x30, which the faulting function may
 * need yet to return by. So the address itself takes DWARF's column 96, as in frames of signals. */
FUNCTION ant__fault_begin
    .cfi_return_column 96
    .cfi_escape 0x0f, 3, 0x8f, 8, 6   /* CFA: what lies at sp + 8 */
    .cfi_escape 0x10, 96, 2, 0x8f, 0  /* the pc: saved at sp */
    .cfi_escape 0x10, 30, 2, 0x8f, 16 /* x30: saved at sp + 16 */
    hint #36 /* bti j */
    bl ant__panic_signal
    brk #1
END ant__fault_begin

/* Where preempt.c lets an interrupted goroutine go on. At sp lies a copy of the signal frame, in which
 * unwinders find the interrupted function as the caller, and which the kernel takes up again by
 * rt_sigreturn. From the moment when the goroutine may be interrupted again (ANT__G_PREEMPT) it must not
 * change threads before the kernel has set the signal stack of this one: that is a window. */
    .macro IN_CONTEXT reg, low, high
    .cfi_escape 0x10, \reg, 3, 0x8f, \low, \high /* saved at sp + the SLEB128 number */
    .endm

FUNCTION ant__preempt_begin
    .cfi_signal_frame
    .cfi_return_column 96
    .cfi_escape 0x0f, 4, 0x8f, 0xb0, 4, 6 /* CFA: what lies at sp + 560 */
    IN_CONTEXT 96, 0xb8, 4 /* the pc */
    IN_CONTEXT 19, 0xd0, 3
    IN_CONTEXT 20, 0xd8, 3
    IN_CONTEXT 21, 0xe0, 3
    IN_CONTEXT 22, 0xe8, 3
    IN_CONTEXT 23, 0xf0, 3
    IN_CONTEXT 24, 0xf8, 3
    IN_CONTEXT 25, 0x80, 4
    IN_CONTEXT 26, 0x88, 4
    IN_CONTEXT 27, 0x90, 4
    IN_CONTEXT 28, 0x98, 4
    IN_CONTEXT 29, 0xa0, 4
    IN_CONTEXT 30, 0xa8, 4
    mov x0, sp
    bl ant__preempt_here
1:  ldrb w1, [x0]
    orr w1, w1, #64
    strb w1, [x0]
    mov x8, #139
    svc #0
2:  brk #1
END ant__preempt_begin

    .section ant_windows, "a"
    .balign 4
    .long 1b - ., 2b - .

    .section .note.GNU-stack, "", %progbits

    .section .note.gnu.property, "a"
    .p2align 3
    .long 4, 16, 5
    .asciz "GNU"
    .long 0xc0000000, 4, 1, 0 /* BTI */
