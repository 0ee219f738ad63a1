/* chaos.c - the delays of the chaos build; see base/chaos.h.
 *
 * Where. A fault shows if the right thread stands still between the right two lines. If every place
 * were delayed alike, all threads would only be slow. So for a tenth of a second a few places, drawn
 * by the seed, are hot: there every fourth call is delayed, for long; at all others one in a
 * thousand, briefly. Then other places are drawn.
 *
 * How long. A pause, a yield of the CPU, some microseconds, seldom a millisecond. A thread sleeps
 * for at most half of its life, so that the slowdown of a program is bounded.
 *
 * The seed decides about the places and the delays of each thread, by the order in which threads
 * come. Which thread meets them first is up to the system: the same seed makes a fault likely
 * again, not certain.
 *
 * This file is not built with ANT_CHAOS itself. Its functions may be called anywhere: on the
 * smallest stack, in a signal handler, where errno matters.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/compiler.h"
#include "base/random.h"

enum {
    HOT_IN = 32,      /* one place in so many is hot */
    HOT_TURN = 4,     /* there one call in so many is delayed */
    COLD_TURN = 1024, /* and so elsewhere */
    EPOCH_NS = 100000000,
    LOOK = 64, /* calls of a thread between two looks at the clock */
};

#define CHAOS_TEXT __attribute__((noinline, section("ant_chaos")))

uint64_t ant__chaos_seed;
void ant__chaos(void);
void ant__chaos_text(uintptr_t *ret_low, uintptr_t *ret_size);
bool ant__chaos_mutated(const char *name);

extern const char __start_ant_chaos[], __stop_ant_chaos[];

static bool ready;
static int64_t begun; /* of the process, ns */
static _Atomic uint64_t epoch, threads;
static const char *mutation;

struct thread {
    struct ant__random random; /* state 0: it is new */
    int64_t born, slept;
    uint32_t calls;
};

static __thread __attribute__((tls_model("initial-exec"))) struct thread self;

static CHAOS_TEXT int64_t now(clockid_t clock)
{
    struct timespec ts;

    clock_gettime(clock, &ts);
    return (int64_t)ts.tv_sec * 1000000000 + ts.tv_nsec;
}

static CHAOS_TEXT void sleep_for(int64_t ns)
{
    struct timespec ts = {.tv_nsec = ns};

    syscall(SYS_nanosleep, &ts, NULL);
    self.slept += ns;
}

static CHAOS_TEXT void pause_for(uint32_t n)
{
    while (n-- > 0)
        ant__pause();
}

static CHAOS_TEXT bool is_hot(const void *place)
{
    struct ant__random r;

    ant__random_seed(&r, ant__chaos_seed ^ (uint64_t)(uintptr_t)place,
                     atomic_load_explicit(&epoch, memory_order_relaxed));
    return ant__random_next(&r) % HOT_IN == 0;
}

static CHAOS_TEXT void look_at_clock(void)
{
    uint64_t n = (uint64_t)(now(CLOCK_MONOTONIC_COARSE) - begun) / EPOCH_NS;

    atomic_store_explicit(&epoch, n, memory_order_relaxed);
}

static CHAOS_TEXT void delay(uint32_t choice, uint32_t amount)
{
    if (choice % 4 == 0) {
        pause_for(amount % 200);
    } else if (choice % 4 == 1 || self.slept * 2 > now(CLOCK_MONOTONIC) - self.born) {
        sched_yield();
    } else {
        sleep_for(choice % 64 == 2 ? 1000000 : amount % 50000);
    }
}

static CHAOS_TEXT void be_born(void)
{
    ant__random_seed(&self.random, ant__chaos_seed, atomic_fetch_add(&threads, 1));
    self.born = now(CLOCK_MONOTONIC);
}

CHAOS_TEXT void ant__chaos(void)
{
    int saved = errno;
    uint32_t r;

    if (!ready)
        return;
    if (self.random.state == 0)
        be_born();
    if (self.calls++ % LOOK == 0)
        look_at_clock();
    r = ant__random_next(&self.random);
    if (r % COLD_TURN == 0 || (r % HOT_TURN == 0 && is_hot(__builtin_return_address(0))))
        delay(r / COLD_TURN, ant__random_next(&self.random));
    errno = saved;
}

void ant__chaos_text(uintptr_t *ret_low, uintptr_t *ret_size)
{
    *ret_low = (uintptr_t)__start_ant_chaos;
    *ret_size = (uintptr_t)(__stop_ant_chaos - __start_ant_chaos);
}

bool ant__chaos_mutated(const char *name)
{
    return mutation && strcmp(mutation, name) == 0;
}

/* Before main. Each function of libc is called once here: the dynamic linker, which finds it at the
 * first call, needs more stack than a goroutine may have. */
__attribute__((constructor)) static void set_up(void)
{
    const char *seed = getenv("ANT_CHAOS_SEED");

    begun = now(CLOCK_MONOTONIC_COARSE);
    ant__chaos_seed = seed ? strtoull(seed, NULL, 10) : (uint64_t)begun / 1000 % 1000000007;
    ant__chaos_seed += seed ? 0 : (uint64_t)getpid();
    mutation = getenv("ANT_CHAOS_MUTATION");
    sleep_for(1);
    sched_yield();
    ready = true;
}
