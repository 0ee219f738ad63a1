/* track.h - tells ASan, TSan and Valgrind what we do with stacks. Without them: nothing at all.
 *
 * TSan calls a stack a fiber and keeps a list of the functions that were entered on it. Where we
 * leave functions without returning from them, at the end of a goroutine or by a panic, that list
 * would grow: so a stack gets a new fiber for its next goroutine, and ant_try runs on a fiber of
 * its own.
 */
#ifndef ANT_RUNTIME_TRACK_H
#define ANT_RUNTIME_TRACK_H

#include <stddef.h>

#include "base/compiler.h" /* ANT__TSAN */

#if defined(__SANITIZE_ADDRESS__)
#define ANT__ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ANT__ASAN 1
#endif
#endif

#if defined(__has_include)
#if __has_include(<valgrind/valgrind.h>)
#include <valgrind/valgrind.h>
#define ANT__VALGRIND 1
#endif
#endif

/* What a tool wants to know about a stack; lies in the stack's own record. */
struct ant__track {
    const void *low;
    size_t size;
#ifdef ANT__TSAN
    void *fiber;
#endif
#ifdef ANT__VALGRIND
    unsigned valgrind_id;
#endif
};

#ifdef ANT__ASAN
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif
#ifdef ANT__TSAN
void *__tsan_get_current_fiber(void);
void *__tsan_create_fiber(unsigned flags);
void __tsan_destroy_fiber(void *fiber);
void __tsan_switch_to_fiber(void *fiber, unsigned flags);
#endif

/* Whether anybody listens to the end of a stack. */
static inline int ant__track_wanted(void)
{
#if defined(ANT__TSAN)
    return 1;
#elif defined(ANT__VALGRIND)
    return RUNNING_ON_VALGRIND;
#else
    return 0;
#endif
}

/* Whether a signal comes when it is sent, with the context of the code that it interrupts, and can
 * be returned from by a copy of its frame: TSan puts signals off, Valgrind has frames of its own.
 */
static inline int ant__track_signals_are_real(void)
{
#if defined(ANT__TSAN)
    return 0;
#elif defined(ANT__VALGRIND)
    return !RUNNING_ON_VALGRIND;
#else
    return 1;
#endif
}

/* A new stack, and the end of one. */
static inline void ant__track_create(struct ant__track *t, const void *low, size_t size)
{
    t->low = low;
    t->size = size;
#ifdef ANT__TSAN
    t->fiber = __tsan_create_fiber(0);
#endif
#ifdef ANT__VALGRIND
    t->valgrind_id = VALGRIND_STACK_REGISTER(low, (const char *)low + size);
#endif
}

static inline void ant__track_destroy(struct ant__track *t)
{
#ifdef ANT__TSAN
    __tsan_destroy_fiber(t->fiber);
#endif
#ifdef ANT__VALGRIND
    VALGRIND_STACK_DEREGISTER(t->valgrind_id);
#endif
    (void)t;
}

/* The stack that a thread of ours came with. */
static inline void ant__track_adopt(struct ant__track *t, const void *low, size_t size)
{
    t->low = low;
    t->size = size;
#ifdef ANT__TSAN
    t->fiber = __tsan_get_current_fiber();
#endif
}

/* Around every switch: before() on the stack that is left, after() first thing on the other.
 * *fake_stack lies on the stack that is left; NULL when it will not be gone back to. Inlined, since
 * TSan would note that before() is entered on the one fiber, and returned from on the other. */
static ant__always_inline void ant__track_before(void **fake_stack, struct ant__track *to)
{
#ifdef ANT__ASAN
    __sanitizer_start_switch_fiber(fake_stack, to->low, to->size);
#endif
#ifdef ANT__TSAN
    __tsan_switch_to_fiber(to->fiber, 0);
#endif
    (void)fake_stack;
    (void)to;
}

static ant__always_inline void ant__track_after(void *fake_stack)
{
#ifdef ANT__ASAN
    __sanitizer_finish_switch_fiber(fake_stack, NULL, NULL);
#endif
    (void)fake_stack;
}

/* As before(), for a call that borrows another stack: TSan needs not know, as it is one thing after
 * another all the same. */
static ant__always_inline void ant__track_borrow(void **fake_stack, struct ant__track *to)
{
#ifdef ANT__ASAN
    __sanitizer_start_switch_fiber(fake_stack, to->low, to->size);
#endif
    (void)fake_stack;
    (void)to;
}

/* The goroutine on this stack has ended, and the frames above sp are left for good. */
static inline void ant__track_ended(struct ant__track *t, const char *sp, const char *top)
{
#ifdef ANT__TSAN
    __tsan_destroy_fiber(t->fiber);
    t->fiber = __tsan_create_fiber(0);
#endif
#ifdef ANT__ASAN
    __asan_unpoison_memory_region(sp, (size_t)(top - sp));
#endif
    (void)t;
    (void)sp;
    (void)top;
}

/* Around the function that ant_try calls. t: of the goroutine's stack, NULL in other threads. */
static ant__always_inline void *ant__track_try_begin(struct ant__track *t)
{
#ifdef ANT__TSAN
    void *before = __tsan_get_current_fiber();
    void *own = __tsan_create_fiber(0);

    if (t)
        t->fiber = own;
    __tsan_switch_to_fiber(own, 0);
    return before;
#else
    (void)t;
    return NULL;
#endif
}

static ant__always_inline void ant__track_try_end(struct ant__track *t, void *before)
{
#ifdef ANT__TSAN
    void *own = __tsan_get_current_fiber();

    if (t)
        t->fiber = before;
    __tsan_switch_to_fiber(before, 0);
    __tsan_destroy_fiber(own);
#endif
    (void)t;
    (void)before;
}

/* Frames are about to be left without returning from them. */
static inline void ant__track_no_return(void)
{
#ifdef ANT__ASAN
    __asan_handle_no_return();
#endif
}

/* Frames on this memory were left for good, or it is about to be unmapped. */
static inline void ant__track_clear(const void *low, size_t size)
{
#ifdef ANT__ASAN
    __asan_unpoison_memory_region(low, size);
#endif
    (void)low;
    (void)size;
}

#endif
