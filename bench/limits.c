/* limits.c - what this machine takes for the things that no scheduler can do without, so that the
 * other figures can be judged. Prints lines of "name<TAB>nanoseconds". */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <unistd.h>

#include "bench.h"

#ifndef MADV_GUARD_INSTALL
#define MADV_GUARD_INSTALL 102
#endif

enum { OPS = 20000000, PAGES = 100000, SLOT = 256 << 10, HUGE = 2 << 20, HUGE_N = 200 };

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

static void page_faults(int threads)
{
    pthread_t t[2];
    char *memory[2];
    char name[64];
    double start;

    for (int i = 0; i < threads; i++)
        memory[i] = map((size_t)PAGES * SLOT, MADV_NOHUGEPAGE);
    start = bench_seconds();
    for (int i = 0; i < threads; i++) {
        if (pthread_create(&t[i], NULL, touch_slots, memory[i]) != 0)
            bench_die("pthread_create", "no thread");
    }
    for (int i = 0; i < threads; i++)
        pthread_join(t[i], NULL);
    snprintf(name, sizeof name, "first touch of a page, %d thread%s", threads,
             threads > 1 ? "s" : "");
    print(name, (bench_seconds() - start) * 1e9 / PAGES / threads);
    for (int i = 0; i < threads; i++)
        munmap(memory[i], (size_t)PAGES * SLOT);
}

static void guards(void)
{
    char *memory = map((size_t)PAGES * SLOT, MADV_NOHUGEPAGE);
    double start = bench_seconds();

    for (size_t i = 0; i < PAGES; i++) {
        if (madvise(memory + i * SLOT, 4096, MADV_GUARD_INSTALL) != 0) {
            print("guard by madvise: not here", 0);
            return;
        }
    }
    print("guard by madvise", (bench_seconds() - start) * 1e9 / PAGES);
    munmap(memory, (size_t)PAGES * SLOT);
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
    page_faults(1);
    page_faults(2);
    guards();
    huge_faults();
    return 0;
}
