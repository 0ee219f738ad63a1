/* tls.c - the thread-local state of the runtime, and errno, behind functions that are never inlined.
 *
 * A compiler may compute the address of a thread-local variable once per function, and glibc even
 * declares the address of errno constant. A goroutine that suspends in the middle of a function may
 * go on in another thread, where such an address is wrong. So nobody but this file touches them, and
 * it is compiled without link-time optimisation; the empty asm keeps the compiler from finding the
 * functions to be pure.
 */
#include <errno.h>

#include "runtime/runtime.h"

#define THREAD_LOCAL static __thread __attribute__((tls_model("initial-exec")))

THREAD_LOCAL struct ant__m *this_m;
THREAD_LOCAL struct ant__unwind this_unwind;

ant__noinline struct ant__m *ant__m(void)
{
    __asm__ volatile("" ::: "memory");
    return this_m;
}

ant__noinline void ant__set_m(struct ant__m *m)
{
    __asm__ volatile("" ::: "memory");
    this_m = m;
}

ant__noinline int *ant__errno_at(void)
{
    __asm__ volatile("" ::: "memory");
    return &errno;
}

ant__noinline struct ant__unwind *ant__thread_unwind(void)
{
    __asm__ volatile("" ::: "memory");
    return &this_unwind;
}
