/* preempt.h - computations without calls, whose results tell whether every register was kept. */
#ifndef ANT_TESTS_PREEMPT_H
#define ANT_TESTS_PREEMPT_H

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "check.h"
#include "runtime/preempt.h"

typedef uint64_t test_result;

static inline int computing_rounds(void)
{
    return test_scale(200000);
}

__attribute__((noinline)) static test_result integers(int rounds)
{
    uint64_t a = 1, b = 2, c = 3, d = 4, e = 5, f = 6, g = 7, h = 8, i = 9, j = 10, k = 11;

    for (int n = 0; n < rounds; n++) {
        a += b ^ (k << 7);
        b += c * 3;
        c ^= d >> 5;
        d += e + a;
        e *= f | 1;
        f += g ^ b;
        g -= h + c;
        h ^= i << 3;
        i += j * 5;
        j ^= k + d;
        k += a ^ e;
    }
    return a ^ b ^ c ^ d ^ e ^ f ^ g ^ h ^ i ^ j ^ k;
}

/* A carry that lives on in the flags from one round to the next. */
__attribute__((noinline)) static test_result carries(int rounds)
{
    uint64_t sum = 1, step = 0x9e3779b97f4a7c15, left = (uint64_t)rounds * 4;

#if defined(__x86_64__)
    __asm__ volatile("clc\n"
                     "1:\tadcq %2, %0\n\t"
                     "decq %1\n\t"
                     "jnz 1b\n\t"
                     : "+r"(sum), "+r"(left)
                     : "r"(step)
                     : "cc");
#else
    __asm__ volatile("cmn xzr, xzr\n"
                     "1:\tadcs %0, %0, %2\n\t"
                     "sub %1, %1, #1\n\t"
                     "cbnz %1, 1b\n\t"
                     : "+r"(sum), "+r"(left)
                     : "r"(step)
                     : "cc");
#endif
    return sum;
}

__attribute__((noinline)) static test_result doubles(int rounds)
{
    double x[8] = {0.1, 0.2, 0.3, 0.4, 0.15, 0.25, 0.35, 0.45}, sum = 0;
    test_result result;

    for (int n = 0; n < rounds; n++) {
        for (int i = 0; i < 8; i++)
            x[i] = 3.99 * x[i] * (1 - x[i]);
    }
    for (int i = 0; i < 8; i++)
        sum += x[i];
    memcpy(&result, &sum, sizeof result);
    return result;
}

/* On x86-64 they live on the x87 stack. */
__attribute__((noinline)) static test_result long_doubles(int rounds)
{
    long double a = 0.11L, b = 0.22L, c = 0.33L, d = 0.44L;

    for (int n = 0; n < rounds / 4; n++) {
        a = 3.99L * a * (1 - b);
        b = 3.98L * b * (1 - c) + a / 1000;
        c = 3.97L * c * (1 - d) + b / 1000;
        d = 3.96L * d * (1 - a) + c / 1000;
        a -= (long double)(int)a;
        b -= (long double)(int)b;
        c -= (long double)(int)c;
        d -= (long double)(int)d;
    }
    return (test_result)(int64_t)((a + b + c + d) * 1e15L);
}

typedef uint32_t vector __attribute__((vector_size(32)));

#define VECTORS(rounds)                                                                            \
    vector a = {1, 2, 3, 4, 5, 6, 7, 8}, b = a * 3, c = a * 5, d = a * 7, e = a * 9, f = a * 11;   \
    test_result result = 0;                                                                        \
                                                                                                   \
    for (int n = 0; n < (rounds); n++) {                                                           \
        a += b ^ (f << 3);                                                                         \
        b += c >> 1;                                                                               \
        c ^= d + a;                                                                                \
        d += e ^ b;                                                                                \
        e -= f + c;                                                                                \
        f ^= a + d;                                                                                \
    }                                                                                              \
    a ^= b ^ c ^ d ^ e ^ f;                                                                        \
    for (int i = 0; i < 8; i++)                                                                    \
        result = result * 31 + a[i];                                                               \
    return result

__attribute__((noinline)) static test_result vectors(int rounds)
{
    VECTORS(rounds);
}

#if defined(__x86_64__)
__attribute__((noinline, target("avx2"))) static test_result wide_vectors_avx2(int rounds)
{
    VECTORS(rounds);
}
#endif

static test_result wide_vectors(int rounds)
{
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2"))
        return wide_vectors_avx2(rounds);
#endif
    return vectors(rounds);
}

/* A leaf function keeps its array below the stack pointer, if the architecture has a red zone. */
__attribute__((noinline)) static test_result red_zone(int rounds)
{
    volatile uint64_t local[14];
    test_result result = 0;

    for (int i = 0; i < 14; i++)
        local[i] = (uint64_t)i * 0x0101010101010101;
    for (int n = 0; n < rounds; n++) {
        local[n % 14] += (uint64_t)n;
        result += local[(n + 7) % 14];
    }
    return result;
}

enum { KINDS = 7 };

static test_result (*const kinds[KINDS])(int) = {integers, carries,      doubles, long_doubles,
                                                 vectors,  wide_vectors, red_zone};
static test_result expected[KINDS];

/* Before anybody is interrupted. */
static inline void compute_expected(void)
{
    for (int i = 0; i < KINDS; i++)
        expected[i] = kinds[i](computing_rounds());
}

static inline void compute_once(int kind)
{
    test_result result = kinds[kind % KINDS](computing_rounds());

    if (result != expected[kind % KINDS])
        FAIL("kind %d: 0x%llx, not 0x%llx", kind % KINDS, (unsigned long long)result,
             (unsigned long long)expected[kind % KINDS]);
}

/* To be asked in the running runtime. Where there is no sanitizer it must work. */
static inline bool can_preempt(void)
{
    CHECK(ant__preempt_works() || TEST_SANITIZED);
    if (!ant__preempt_works())
        dprintf(STDERR_FILENO, "skipped: malloc is part of this program\n");
    return ant__preempt_works();
}

static inline uint64_t preempted(void)
{
    return atomic_load(&ant__preempted);
}

#endif
