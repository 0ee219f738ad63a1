/* tls.c - the thread-local state of the runtime, where no compiler can hold on to it.
 *
 * A compiler may compute the address of a thread-local variable once per function. A goroutine that
 * suspends in the middle of a function may go on in another thread, where such an address is wrong. So
 * nobody but this file touches them, in functions that are never inlined: it is compiled without
 * link-time optimisation, and the empty asm keeps the compiler from finding the functions to be pure.
 * Only the M, which every call asks for, is read inline, by an asm that the compiler must repeat each
 * time (ant__m).
 */
#include "runtime/runtime.h"

#define INITIAL_EXEC __thread __attribute__((tls_model("initial-exec")))

INITIAL_EXEC struct ant__m *ant__this_m;
static INITIAL_EXEC struct ant__unwind this_unwind;
static INITIAL_EXEC struct {
    int depth, before;
} this_cancel;

ant__noinline void ant__set_m(struct ant__m *m)
{
    __asm__ volatile("" ::: "memory");
    ant__this_m = m;
}

ant__noinline void ant__cancel_off(void)
{
    __asm__ volatile("" ::: "memory");
    if (this_cancel.depth++ == 0)
        pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &this_cancel.before);
}

ant__noinline void ant__cancel_back(void)
{
    int ignored;

    __asm__ volatile("" ::: "memory");
    if (--this_cancel.depth == 0)
        pthread_setcancelstate(this_cancel.before, &ignored);
}

ant__noinline struct ant__unwind *ant__thread_unwind(void)
{
    __asm__ volatile("" ::: "memory");
    return &this_unwind;
}
