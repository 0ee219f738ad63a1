/* compiler.h - the few things we ask of the compiler beyond C11. */
#ifndef ANT_BASE_COMPILER_H
#define ANT_BASE_COMPILER_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/chaos.h"

#define ANT__CACHE_LINE 64

#define ant__likely(x) __builtin_expect(!!(x), 1)
#define ant__unlikely(x) __builtin_expect(!!(x), 0)
#define ant__noinline __attribute__((noinline))
#define ant__always_inline inline __attribute__((always_inline))
#define ant__aligned_line __attribute__((aligned(ANT__CACHE_LINE)))
#define ant__container_of(ptr, type, member) ((type *)((char *)(ptr)-offsetof(type, member)))

#define ant__load_relaxed(p) atomic_load_explicit(p, memory_order_relaxed)
#define ant__load_acquire(p) atomic_load_explicit(p, memory_order_acquire)
#define ant__store_relaxed(p, v) atomic_store_explicit(p, v, memory_order_relaxed)
#define ant__store_release(p, v) atomic_store_explicit(p, v, memory_order_release)

/* Counters with a single writer: a plain add that other threads may read at any time. */
#define ant__count(p, n) ant__store_relaxed(p, ant__load_relaxed(p) + (n))

static inline void ant__pause(void)
{
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("isb" ::: "memory"); /* longer than yield, which most cores ignore */
#endif
}

/* Fetches the cache line at p, to be written soon: also from another core that wrote to it last, which
 * what the compiler makes of __builtin_prefetch on x86 leaves half done. Any address will do. */
static ant__always_inline void ant__prefetch(const void *p)
{
#if defined(__x86_64__)
    __asm__ volatile("prefetchw %0" : : "m"(*(const char *)p));
#else
    __builtin_prefetch(p, 1);
#endif
}

#if defined(__SANITIZE_THREAD__)
#define ANT__TSAN 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define ANT__TSAN 1
#endif
#endif

/* The full barrier of the wake-up protocols (publish - fence - check). */
static inline void ant__fence(void)
{
#ifdef ANT__TSAN
    /* TSan does not model fences; a read-modify-write of a shared word stands in for one. */
    static _Atomic int word;

    atomic_fetch_add(&word, 0);
#else
    atomic_thread_fence(memory_order_seq_cst);
#endif
}

/* The same where a sequentially consistent read-modify-write came just before, which on x86 is a
 * full barrier by itself. */
static inline void ant__fence_after_rmw(void)
{
#if defined(__x86_64__) && !defined(ANT__TSAN)
    atomic_signal_fence(memory_order_seq_cst);
#else
    ant__fence();
#endif
}

#endif
