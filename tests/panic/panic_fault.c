/* panic_fault - with fault_panics a fault in a goroutine is a panic that ant_try catches: SIGSEGV
 * by reading, writing, jumping; SIGFPE; SIGBUS. Deferred calls run, errno and the signal mask are
 * what they were, again and again and in many goroutines at once. */
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>

#include <anthill.h>

#include "check.h"

enum { GOROUTINES = 20 };

static ant_waitgroup wg;
static char *truncated; /* a mapping behind the end of its file */
static char *forbidden; /* a mapping without rights */

#define FAULTY static __attribute__((noinline, no_sanitize("undefined", "address", "thread")))

static void count(void *arg)
{
    ++*(int *)arg;
}

FAULTY void read_null(void *arg)
{
    ANT_DEFER(count, arg);
    *(volatile int *)arg = *(volatile int *)NULL;
}

FAULTY void write_readonly(void *arg)
{
    ANT_DEFER(count, arg);
    *(volatile char *)"constant" = 1;
}

FAULTY void read_forbidden(void *arg)
{
    ANT_DEFER(count, arg);
    *(volatile int *)arg = *(volatile char *)forbidden;
}

FAULTY void divide(void *arg)
{
    volatile int zero = 0;

    ANT_DEFER(count, arg);
    *(volatile int *)arg = (*(volatile int *)arg + 7) / zero;
}

FAULTY void read_truncated(void *arg)
{
    ANT_DEFER(count, arg);
    *(volatile int *)arg = *(volatile char *)truncated;
}

static const struct {
    void (*fn)(void *);
    int signal;
    const char *message;
} faults[] = {
    {read_null, SIGSEGV, "invalid memory access (SIGSEGV) at address 0"},
    {write_readonly, SIGSEGV, "invalid memory access (SIGSEGV) at address 0x"},
    {read_forbidden, SIGSEGV, "invalid memory access (SIGSEGV) at address 0x"},
#if defined(__x86_64__) /* elsewhere a division by zero is zero */
    {divide, SIGFPE, "arithmetic fault (SIGFPE)"},
#endif
    {read_truncated, SIGBUS, "bus error (SIGBUS) at address 0x"},
};

enum { FAULTS = sizeof faults / sizeof faults[0] };

static void check_one(int i)
{
    int deferred = 0;
    ant_panic_info info;

    (void)divide;
    CHECK_INT(ant_try(faults[i].fn, &deferred, &info), ANT_EPANIC);
    CHECK_INT(deferred, 1);
    CHECK_INT(info.signal, faults[i].signal);
    CHECK_HAS(info.message, faults[i].message);
    CHECK_INT(info.goroutine, ant_id());
    CHECK(info.frame_count > 0);
}

static void check_mask(void)
{
    sigset_t mask;

    CHECK_INT(pthread_sigmask(SIG_SETMASK, NULL, &mask), 0);
    CHECK(!sigismember(&mask, SIGSEGV) && !sigismember(&mask, SIGBUS) &&
          !sigismember(&mask, SIGFPE));
}

static void goroutine(void *arg)
{
    for (int i = 0; i < test_scale(200); i++) {
        check_one(i % FAULTS);
        if (i % 3 == 0)
            ant_yield();
        check_mask();
    }
    ant_waitgroup_done(&wg);
}

static int run(void *arg)
{
    ant_waitgroup_add(&wg, GOROUTINES);
    for (int i = 0; i < GOROUTINES; i++)
        CHECK_INT(ant_go(goroutine, NULL), 0);
    ant_waitgroup_wait(&wg);
    return 0;
}

TEST(panic_fault)
{
    int fd = memfd_create("truncated", MFD_CLOEXEC);

    CHECK(fd >= 0);
    CHECK_INT(ftruncate(fd, 4096), 0);
    truncated = mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, 0);
    CHECK(truncated != MAP_FAILED);
    CHECK_INT(ftruncate(fd, 0), 0);
    close(fd);
    forbidden = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(forbidden != MAP_FAILED);
    CHECK_INT(ant_run(run, NULL, &(ant_config){.fault_panics = true}), 0);
    return 0;
}
