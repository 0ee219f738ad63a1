/* deep.h - for tests: using up the stack. */
#ifndef TESTS_DEEP_H
#define TESTS_DEEP_H

#include <stddef.h>
#include <stdint.h>

/* The frame is needed whole, whatever the compiler thinks. */
#define DEEP_FRAME(bytes) __asm__ volatile("" : : "r"(bytes) : "memory")

static int dig(size_t n);
static int (*volatile dig_on)(size_t) = dig; /* so that the compiler does not unroll it */

/* Frame by frame, n bytes and somewhat more, so that a guard is not jumped over. */
static __attribute__((unused)) int dig(size_t n)
{
    volatile char frame[64];

    frame[0] = 1;
    DEEP_FRAME(frame);
    return n > sizeof frame ? dig_on(n - sizeof frame) + frame[0] : 0;
}

/* Deeper than any stack. */
static __attribute__((unused)) void overflow_stack(void *arg)
{
    (void)arg;
    dig(SIZE_MAX);
}

/* Without a gap, so that a canary is hit. */
static __attribute__((noinline, unused)) int fill(size_t n)
{
    volatile char bytes[n];

    for (size_t i = n; i-- > 0;)
        bytes[i] = 1;
    DEEP_FRAME(bytes);
    return bytes[0];
}

#endif
