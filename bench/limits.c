/* limits.c - what this machine takes for the things that no scheduler can do without, so that the
 * other figures can be judged. Prints lines of "name<TAB>nanoseconds". */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "bench.h"

#ifndef MADV_GUARD_INSTALL
#define MADV_GUARD_INSTALL 102
#endif
#ifndef PIDFD_SELF
#define PIDFD_SELF (-10000)
#endif

enum {
    OPS = 20000000,
    PAGES = 100000,
    SLOT = 256 << 10,
    GUARD = 5 * 4096,
    RUN = 32,
    HUGE = 2 << 20,
    HUGE_N = 200,
};

static void print(const char *name, double ns)
{
    printf("%s\t%.1f\n", name, ns);
}

static void locked_op(void)
{
    static atomic_int word;
    double start = bench_seconds();

    for (int i = 0; i < OPS; i++)
        atomic_fetch_add(&word, 1);
    print("locked operation", (bench_seconds() - start) * 1e9 / OPS);
}

static void clock_read(void)
{
    double start = bench_seconds();

    for (int i = 0; i < OPS / 10; i++)
        (void)bench_seconds();
    print("reading the clock", (bench_seconds() - start) * 1e10 / OPS);
}

static char *map(size_t size, int advice)
{
    char *memory = mmap(NULL, size, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    if (memory == MAP_FAILED)
        bench_die("mmap", strerror(errno));
    madvise(memory, size, advice);
    return memory;
}

/* One page in each slot, as stacks do it. */
static void *touch_slots(void *memory)
{
    for (size_t i = 0; i < PAGES; i++)
        ((char *)memory)[(i + 1) * SLOT - 64] = 1;
    return NULL;
}

/* A guard in each, many at once. */
static void *guard_slots(void *memory)
{
    struct iovec ranges[RUN];

    for (size_t i = 0; i < PAGES; i += RUN) {
        for (size_t k = 0; k < RUN; k++)
            ranges[k] = (struct iovec){(char *)memory + (i + k) * SLOT, GUARD};
        if (syscall(SYS_process_madvise, PIDFD_SELF, ranges, RUN, MADV_GUARD_INSTALL, 0) !=
            RUN * GUARD)
            return memory;
    }
    return NULL;
}

static void *guard_and_touch_slots(void *memory)
{
    return guard_slots(memory) ? memory : touch_slots(memory);
}

/* All slots of its own for each thread. */
static void with_threads(const char *what, int threads, void *(*fn)(void *))
{
    pthread_t t[2];
    char *memory[2];
    char name[64];
    void *failed = NULL;
    double start;

    for (int i = 0; i < threads; i++)
        memory[i] = map((size_t)PAGES * SLOT, MADV_NOHUGEPAGE);
    start = bench_seconds();
    for (int i = 0; i < threads; i++) {
        if (pthread_create(&t[i], NULL, fn, memory[i]) != 0)
            bench_die("pthread_create", "no thread");
    }
    for (int i = 0; i < threads; i++) {
        void *result;

        pthread_join(t[i], &result);
        failed = result ? result : failed;
    }
    snprintf(name, sizeof name, "%s, %d thread%s%s", what, threads, threads > 1 ? "s" : "",
             failed ? ": not here" : "");
    print(name, failed ? 0 : (bench_seconds() - start) * 1e9 / PAGES / threads);
    for (int i = 0; i < threads; i++)
        munmap(memory[i], (size_t)PAGES * SLOT);
}

static void huge_faults(void)
{
    size_t size = (size_t)HUGE * (HUGE_N + 1);
    char *memory = map(size, MADV_HUGEPAGE);
    char *first = (char *)(((uintptr_t)memory + HUGE - 1) & ~(uintptr_t)(HUGE - 1));
    double start = bench_seconds();

    for (size_t i = 0; i < HUGE_N; i++)
        first[i * HUGE] = 1;
    print("first touch of a huge page, for each 4 KB",
          (bench_seconds() - start) * 1e9 / HUGE_N / (HUGE / 4096));
    munmap(memory, size);
}

int main(void)
{
    locked_op();
    clock_read();
    with_threads("first touch of a page", 1, touch_slots);
    with_threads("first touch of a page", 2, touch_slots);
    with_threads("guard by madvise", 1, guard_slots);
    with_threads("guard and first touch", 2, guard_and_touch_slots);
    huge_faults();
    return 0;
}
