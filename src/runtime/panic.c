/* panic.c - panic, try, defer.
 *
 * A goroutine, or a thread that is none of ours, has a chain of try frames and a chain of deferred
 * calls, both newest first. A try frame remembers the stack pointer of its ant__try_call and the
 * defers that were there before it. A panic runs the defers back to that point, one by one, each
 * taken off the chain before it is called, so that a panic inside one goes on with the rest; then
 * it jumps.
 *
 * Rejected: setjmp. It returns twice, which costs every function around it its registers, and
 * glibc's fortified longjmp refuses to jump between stacks it does not know.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <unwind.h>

#include "runtime/frames.h"
#include "runtime/preempt.h"

struct ant__try {
    struct ant__try *outer;
    ant_defer_node *defers;
    void *sp;
    ant_panic_info *info;              /* NULL: allocated when it is needed */
    bool is_silent;                    /* nobody wants to know about the panic */
    void *fiber;                       /* to go back to (track.h) */
    bool exiting;                      /* what was so outside */
    bool catches;                      /* exceptions of C++ end here, as panics */
    struct ant__exceptions exceptions; /* those that were being handled */
};

static struct ant__unwind *unwind_here(void)
{
    struct ant__g *g = ant__self();

    return g ? &g->stack->unwind : ant__thread_unwind();
}

/* ---- defer ---- */

void ant_defer(ant_defer_node *node, void (*fn)(void *), void *arg)
{
    struct ant__unwind *u = unwind_here();

    if (!node || !fn)
        ant__fatal("ant_defer: the %s is NULL", node ? "function" : "node");
    *node = (ant_defer_node){.next = u->defers, .fn = fn, .arg = arg};
    u->defers = node;
}

static void run_first(struct ant__unwind *u)
{
    ant_defer_node *node = u->defers;

    u->defers = node->next;
    node->fn(node->arg);
}

void ant_defer_end(ant_defer_node *node)
{
    struct ant__unwind *u = unwind_here();

    if (u->defers != node)
        ant__fatal("ant_defer_end: not the newest deferred call of this %s: end them in reverse "
                   "order, in the goroutine that made them",
                   ant__m() ? "goroutine" : "thread");
    run_first(u);
}

static void run_until(struct ant__unwind *u, const ant_defer_node *until)
{
    while (u->defers != until)
        run_first(u);
}

/* ---- leaving a try in other ways ---- */

/* Nobody is told of a longjmp out of a try. Its record lies in a frame that is gone then, on the same stack
 * below `here`, the frame of the function that the user called. */
static void check_try(const struct ant__g *g, const struct ant__try *t, const void *here)
{
    if (g && (const void *)t < here && ant__stack_holds(g->stack, here, true) &&
        ant__stack_holds(g->stack, t, true))
        ant__fatal("an ant_try was left by longjmp: let the function that it calls return instead");
}

/* Not instrumented: TSan would miss the return from it on the fiber on which it was entered. */
__attribute__((no_sanitize("thread"))) static void forget_first(struct ant__unwind *u,
                                                                struct ant__track *track)
{
    struct ant__try *t = u->tries;

    u->tries = t->outer;
    ant__track_try_end(track, t->fiber);
}

/* A try is left when what was deferred inside of it is done: so it takes the panics of that, and of no
 * more. */
__attribute__((no_sanitize("thread"))) void ant__unwind_exit(struct ant__g *g, const void *here)
{
    struct ant__unwind *u = &g->stack->unwind;

    u->exiting = true;
    while (u->tries || u->defers) {
        check_try(g, u->tries, here);
        if (u->tries && u->defers == u->tries->defers)
            forget_first(u, &g->stack->track);
        else
            run_first(u);
    }
    u->exiting = false;
}

void ant__unwind_not_empty(struct ant__unwind *u)
{
    if (u->defers)
        ant__fatal("a goroutine ended with a deferred call pending: its function returned without "
                   "ant_defer_end, and the call's record is gone with its frame");
    if (u->tries)
        ant__fatal(
            "a goroutine ended inside of an ant_try, which was left by longjmp: let the function "
            "that it calls return");
    u->exiting = false;
}

/* ---- panic ---- */

struct printing {
    int fd;
    const ant_panic_info *info;
    int err;
};

static void print_with_room(void *arg)
{
    struct printing *p = arg;
    const ant_panic_info *info = p->info;
    struct ant__out out = {.fd = p->fd};

    if (info->goroutine)
        ant__out_print(&out, "panic in goroutine %llu: %s\n", (unsigned long long)info->goroutine,
                       info->message);
    else
        ant__out_print(&out, "panic: %s\n", info->message);
    ant__frames_print(&out, info->frames, info->frame_count);
    p->err = ant__out_flush(&out);
}

int ant_panic_print(int fd, const ant_panic_info *info)
{
    struct printing p = {.fd = fd, .info = info};

    if (!info)
        return -EINVAL;
    ant__with_room(print_with_room, &p);
    return p.err;
}

/* With no try around it the panic is final: it is told before any deferred call runs, as that may
 * hang. The dump is made as from a thread outside of the runtime. A goroutine that has lost its P would
 * wait for another one when it enters, and would be suspended on the stack of g0, where this runs. */
ANT_NORETURN static void unhandled(const ant_panic_info *info)
{
    ant_panic_print(STDERR_FILENO, info);
    ant__print(STDERR_FILENO, "\n");
    ant__dump(STDERR_FILENO, info->frame_count > 0 ? info->frames[0] : NULL);
    abort();
}

/* A panic on its way; what is needed to describe it, and where it goes. */
struct panic {
    const char *format;
    va_list args;
    int signal;
    void *caller;      /* where user code called ant_panic, or where that was called for a fault */
    const void *frame; /* of the function that was called there */
    struct ant__try *to;
};

enum { FRAMES_OF_OURS = 8 };

/* The frames from the caller on: what we do to describe the panic is of no interest. */
static int user_frames(const struct panic *p, void **ret_frames)
{
    void *all[ANT_PANIC_FRAMES + FRAMES_OF_OURS];
    int n = ant__frames(all, ANT_PANIC_FRAMES + FRAMES_OF_OURS);
    int first = ant__frames_of_ours(all, n, p->caller);

    if (p->signal && first > 0)
        first++; /* ant__fault_begin */
    n = n - first < ANT_PANIC_FRAMES ? n - first : ANT_PANIC_FRAMES;
    memcpy(ret_frames, all + first, (size_t)n * sizeof *all);
    return n;
}

/* Runs with room: formatting and walking the stack take some KB. A panic in a deferred call fills
 * the same record again: the last one counts. */
static void describe(void *arg)
{
    struct panic *p = arg;
    struct ant__m *m = ant__m();
    ant_panic_info alone, *info = &alone;

    if (p->to && !p->to->info && ant__alloc((void **)&p->to->info, sizeof *info) != 0)
        return;
    if (p->to)
        info = p->to->info;
    vsnprintf(info->message, sizeof info->message, p->format, p->args);
    info->goroutine = m ? m->g->id : 0;
    info->signal = p->signal;
    info->frame_count = user_frames(p, info->frames);
    if (!p->to)
        unhandled(info);
}

ANT_NORETURN static void raise_panic(struct panic *p)
{
    struct ant__unwind *u = unwind_here();
    struct ant__try *t = u->tries;
    struct ant__g *g = ant__self();

    check_try(g, t, p->frame);
    if (g)
        ant__stay(g); /* until it is caught: walking the stack takes locks */
    p->to = t;
    if (!t || !t->is_silent)
        ant__with_room(describe, p);
    run_until(u, t->defers);
    u->tries = t->outer;
    ant__track_no_return();
    ant__try_leave(t->sp);
}

void ant_panic(const char *format, ...)
{
    struct panic p = {
        .format = format, .caller = __builtin_return_address(0), .frame = __builtin_dwarf_cfa()};

    va_start(p.args, format);
    raise_panic(&p);
}

ANT_NORETURN static void panic_by_signal(int signal, void *caller, const char *format, ...)
{
    struct panic p = {
        .format = format, .signal = signal, .caller = caller, .frame = __builtin_dwarf_cfa()};

    va_start(p.args, format);
    raise_panic(&p);
}

void ant__panic_signal(int signal, const void *address, bool overflow)
{
    panic_by_signal(signal, __builtin_return_address(0), "%s at address %#llx",
                    overflow           ? "stack overflow"
                    : signal == SIGFPE ? "arithmetic fault (SIGFPE)"
                    : signal == SIGBUS ? "bus error (SIGBUS)"
                                       : "invalid memory access (SIGSEGV)",
                    (unsigned long long)(uintptr_t)address);
}

/* ---- exceptions of C++ ---- */

/* The try whose ant__try_call has this frame; NULL: it was left by ant_exit before. For a personality routine
 * the canonical frame address is that of the frame below, which is the stack pointer in this one. */
static struct ant__try *try_of(struct _Unwind_Context *context)
{
    struct ant__try *t = unwind_here()->tries;
    uintptr_t sp = _Unwind_GetCFA(context);

    while (t && (uintptr_t)t->sp != sp)
        t = t->outer;
    return t;
}

struct thrown {
    struct ant__try *to;
    void *caller; /* in the unwinder */
};

/* Runs with room, while all frames are still there. What it says comes when it has been caught. */
static void describe_thrown(void *arg)
{
    const struct thrown *thrown = arg;
    struct ant__try *t = thrown->to;
    struct panic p = {.caller = thrown->caller};
    struct ant__m *m = ant__m();

    if (!t->info && ant__alloc((void **)&t->info, sizeof *t->info) != 0)
        return;
    t->info->goroutine = m ? m->g->id : 0;
    t->info->signal = 0;
    t->info->frame_count = user_frames(&p, t->info->frames);
}

/* An exception passes, or a thread is canceled. In the second phase the unwinder comes by the newest try
 * first, whose record is still there. The records of deferred calls inside of it are gone. */
__attribute__((no_sanitize("thread"))) int
ant__try_personality(int version, int actions, uint64_t kind, void *exception, void *context)
{
    struct ant__g *g = ant__self();
    struct ant__unwind *u = unwind_here();
    struct thrown thrown = {.to = try_of(context), .caller = __builtin_return_address(0)};

    if (!thrown.to)
        return _URC_CONTINUE_UNWIND;
    if (actions & _UA_SEARCH_PHASE) {
        if (!thrown.to->catches)
            return _URC_CONTINUE_UNWIND;
        ant__with_room(describe_thrown, &thrown);
        return _URC_HANDLER_FOUND;
    }
    if (actions & _UA_HANDLER_FRAME && u->defers != u->tries->defers)
        ant__fatal("an exception of C++ has left a scope with a deferred call, whose record is "
                   "gone: in C++ use "
                   "ANT_DEFER, or destructors");
    u->defers = u->tries->defers;
    if (actions & _UA_HANDLER_FRAME) {
        _Unwind_SetGR(context, __builtin_eh_return_data_regno(0), (uintptr_t)exception);
        _Unwind_SetIP(context, (uintptr_t)ant__try_caught);
        return _URC_INSTALL_CONTEXT;
    }
    u->exiting = u->tries->exiting;
    forget_first(u, g ? &g->stack->track : NULL);
    return _URC_CONTINUE_UNWIND;
}

void ant__try_caught_exception(void *exception)
{
    struct ant__try *t = unwind_here()->tries;
    char unused[1];

    if (t->info)
        ant__exception_catch(exception, t->info->message, sizeof t->info->message);
    else
        ant__exception_catch(exception, unused, 0);
}

/* ---- try ---- */

/* 0 or ANT_EPANIC. info: NULL if nobody wants it. *ret_exits: ant_exit was called inside, and a
 * deferred call panicked then. */
static inline int try_with(void (*fn)(void *), void *arg, ant_panic_info **info, bool catches,
                           bool *ret_exits)
{
    struct ant__unwind *u = unwind_here();
    struct ant__g *g = ant__self();
    struct ant__stack *stack = g ? g->stack : NULL;
    uint8_t preempt = g ? ant__g_is(g, ANT__G_PREEMPT) : 0;
    struct ant__track *track = stack ? &stack->track : NULL;
    struct ant__try t;
    int panicked;

    t.outer = u->tries;
    t.defers = u->defers;
    t.info = info ? *info : NULL;
    t.is_silent = !info;
    t.exiting = u->exiting;
    t.catches = catches;
    t.exceptions = ant__exceptions_get();
    u->exiting = false;
    u->tries = &t;
    t.fiber = ant__track_try_begin(track);
    panicked = ant__try_call(&t.sp, fn, arg);
    ant__track_try_end(track, t.fiber);
    u->tries = t.outer;
    *ret_exits = u->exiting;
    u->exiting = t.exiting;
    if (!panicked) {
        if (u->defers != t.defers)
            ant__fatal("a function called by ant_try returned without ant_defer_end for a deferred "
                       "call, whose record is gone with its frame");
        return 0;
    }
    ant__exceptions_set(&t.exceptions); /* a catch block may have been left */
    if (stack && ant__stack_holds(stack, __builtin_frame_address(0), false))
        ant__stack_reguard(stack);
    if (g)
        ant__unstay(g, preempt);
    if (info)
        *info = t.info;
    return ANT_EPANIC;
}

int ant_try(void (*fn)(void *), void *arg, ant_panic_info *ret_info)
{
    bool exits = false;
    int err = fn ? try_with(fn, arg, ret_info ? &ret_info : NULL, false, &exits) : -EINVAL;

    if (ant__unlikely(exits))
        ant_exit(); /* goes on */
    return err;
}

int ant__try_lean(void (*fn)(void *), void *arg, ant_panic_info **ret_info)
{
    bool exits;

    *ret_info = NULL;
    return try_with(fn, arg, ret_info, true, &exits);
}
