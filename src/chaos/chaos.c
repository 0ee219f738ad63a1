/* chaos.c - the delays of the chaos build; see base/chaos.h.
 *
 * Where. A fault shows if the right threads stand still between the right lines. If every place were
 * delayed alike, all threads would only be slow. Most races are among functions that stand side by
 * side in one file, and more than one thread must be delayed there. So for a twentieth of a second,
 * an epoch, one stretch of code is hot. It is drawn among those that the program was in a moment ago.
 * One call in 16 or in 32 is delayed there, one in a thousand elsewhere. Then another stretch is
 * drawn.
 *
 * How long. A delay is to force an order: the thread stands still until the others have made so many
 * calls. So it does not matter how fast the machine is, or how busy. Mostly it is a few dozen calls,
 * about as many as one operation of the library makes: then several operations overlap, and yet
 * there are many attempts in a second. A few delays last as long as they may. That is a millisecond,
 * which also bounds the delay if the others do not move. A thread is delayed for at most half of its
 * life, so that the slowdown of a program is bounded.
 *
 * The seed decides about the stretches and the delays of each thread, by the order in which threads
 * come. Which thread comes first is up to the system: the same seed makes a fault likely again, not
 * certain.
 *
 * Rejected: single places that are hot, not stretches, and delays that last for a time. A fault that
 * needs three delays at three places then needs three hot places at once. pool_all_at_once took
 * several times as long to find its fault.
 *
 * This file is not built with ANT_CHAOS itself. Its functions may be called anywhere: on the
 * smallest stack, in a signal handler, where errno matters.
 *
 * It is built with -fno-plt. A goroutine that is interrupted goes on in another thread, where the
 * addresses of thread-locals, errno too, are wrong. It is not interrupted in these functions, nor in
 * libc, but it could be in the linker's code between the two. That code also needs more stack at the
 * first call than a goroutine may have.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/compiler.h"
#include "base/random.h"

enum {
    STRETCH = 4096,   /* bytes of code */
    STRETCHES = 256,  /* those further on share a number with these */
    HOT_WIDTH = 2,    /* stretches, as a file may lie in two */
    HOT_TURN = 16,    /* one call in so many is delayed there, or in twice as many */
    COLD_TURN = 1024, /* and so elsewhere */
    EPOCH_NS = 50000000,
    LOOK = 64,          /* calls of a thread between two looks at the clock */
    TELL = 4,           /* and between two times that it adds to `progress` */
    SHORT = 8,          /* calls that the shortest delay waits for */
    FOREVER = 1 << 30,  /* more than others make while a delay lasts */
    DELAY_NS = 1000000, /* no delay is longer */
    NAP_NS = 20000,
    YIELDS = 4, /* before the first nap */
};

#define CHAOS_TEXT __attribute__((noinline, section("ant_chaos")))

uint64_t ant__chaos_seed;
void ant__chaos(void);
void ant__chaos_text(uintptr_t *ret_low, uintptr_t *ret_size);
bool ant__chaos_mutated(const char *name);

extern const char __start_ant_chaos[], __stop_ant_chaos[];
/* The names that ANT__MUTATED was given. */
extern const char *const __start_ant_mutations[] __attribute__((weak));
extern const char *const __stop_ant_mutations[] __attribute__((weak));

static bool ready;
static int64_t begun; /* of the process, ns */
static const char *mutation;
static _Atomic uint64_t threads;
static _Atomic uint64_t progress; /* calls of all threads */
static _Atomic uint32_t epoch, hot_stretch, hot_turn;
static _Atomic uint32_t visited[STRETCHES]; /* in which epoch the program was there last */

struct thread {
    struct ant__random random; /* state 0: it is new */
    int64_t born, delayed;     /* ns */
    uint32_t calls;
};

static __thread __attribute__((tls_model("initial-exec"))) struct thread self;

static CHAOS_TEXT int64_t now(clockid_t clock)
{
    struct timespec ts;

    clock_gettime(clock, &ts);
    return (int64_t)ts.tv_sec * 1000000000 + ts.tv_nsec;
}

/* -- where ------------------------------------------------------------------------------------- */

/* Counted from here, as the program lies elsewhere in memory from run to run. */
static CHAOS_TEXT uint32_t stretch_of(const void *place)
{
    return (uint32_t)(((uintptr_t)place - (uintptr_t)ant__chaos) / STRETCH) % STRETCHES;
}

static CHAOS_TEXT void visit(uint32_t stretch)
{
    uint32_t now_is = ant__load_relaxed(&epoch);

    if (ant__load_relaxed(&visited[stretch]) != now_is)
        ant__store_relaxed(&visited[stretch], now_is);
}

static CHAOS_TEXT uint32_t turn_at(uint32_t stretch)
{
    bool is_hot = (stretch - ant__load_relaxed(&hot_stretch)) % STRETCHES < HOT_WIDTH;

    return is_hot ? ant__load_relaxed(&hot_turn) : COLD_TURN;
}

/* Two threads may do this at once, which does no harm. */
static CHAOS_TEXT void begin_epoch(uint32_t n)
{
    struct ant__random r;
    uint32_t stretch, tries = STRETCHES;

    ant__random_seed(&r, ant__chaos_seed, n);
    do
        stretch = ant__random_next(&r) % STRETCHES;
    while (ant__load_relaxed(&visited[stretch]) + 2 < n && --tries > 0);
    ant__store_relaxed(&hot_stretch, stretch);
    ant__store_relaxed(&hot_turn, HOT_TURN << ant__random_next(&r) % 2);
    ant__store_relaxed(&epoch, n);
}

/* The first epoch has the number 3: what was never visited is not drawn. */
static CHAOS_TEXT void look_at_clock(void)
{
    uint32_t n = 3 + (uint32_t)((now(CLOCK_MONOTONIC_COARSE) - begun) / EPOCH_NS);

    if (n != ant__load_relaxed(&epoch))
        begin_epoch(n);
}

/* -- how long ---------------------------------------------------------------------------------- */

static CHAOS_TEXT void nap(void)
{
    struct timespec ts = {.tv_nsec = NAP_NS};

    syscall(SYS_nanosleep, &ts, NULL);
}

static CHAOS_TEXT uint32_t draw_calls(uint32_t choice)
{
    return choice % 64 == 0 ? FOREVER : SHORT << choice % 4;
}

/* Until the others have made so many calls. */
static CHAOS_TEXT void stand_still(uint32_t calls)
{
    uint64_t goal = ant__load_relaxed(&progress) + calls;
    int64_t start = now(CLOCK_MONOTONIC), at = start;

    if (self.delayed * 2 > start - self.born)
        return;
    for (int i = 0; ant__load_relaxed(&progress) < goal && at < start + DELAY_NS; i++) {
        if (i < YIELDS)
            sched_yield();
        else
            nap();
        at = now(CLOCK_MONOTONIC);
    }
    self.delayed += at - start;
}

/* -- a call ------------------------------------------------------------------------------------ */

static CHAOS_TEXT void be_born(void)
{
    ant__random_seed(&self.random, ant__chaos_seed, atomic_fetch_add(&threads, 1));
    self.born = now(CLOCK_MONOTONIC);
}

CHAOS_TEXT void ant__chaos(void)
{
    uint32_t r, stretch = stretch_of(__builtin_return_address(0));
    int saved = errno;

    if (!ready)
        return;
    if (self.random.state == 0)
        be_born();
    if (self.calls++ % LOOK == 0)
        look_at_clock();
    if (self.calls % TELL == 0)
        atomic_fetch_add_explicit(&progress, TELL, memory_order_relaxed);
    visit(stretch);
    r = ant__random_next(&self.random);
    if (r % turn_at(stretch) == 0)
        stand_still(draw_calls(r / COLD_TURN));
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

static void refuse(const char *name, const char *value, const char *why)
{
    dprintf(STDERR_FILENO, "chaos: %s=%s: %s\n", name, value, why);
    _exit(2);
}

static uint64_t parse_seed(const char *text)
{
    char *end;
    uint64_t seed;

    errno = 0;
    seed = strtoull(text, &end, 10);
    if (errno || *text < '0' || *text > '9' || *end)
        refuse("ANT_CHAOS_SEED", text, "it must be a number");
    return seed;
}

static bool is_known(const char *name)
{
    const char *const *known = __start_ant_mutations;

    while (known < __stop_ant_mutations && strcmp(*known, name) != 0)
        known++;
    return known < __stop_ant_mutations;
}

/* Before main. */
__attribute__((constructor)) static void set_up(void)
{
    const char *seed = getenv("ANT_CHAOS_SEED");

    begun = now(CLOCK_MONOTONIC_COARSE);
    ant__chaos_seed =
        seed ? parse_seed(seed) : (uint64_t)begun / 1000 % 1000000007 + (uint64_t)getpid();
    mutation = getenv("ANT_CHAOS_MUTATION");
    if (mutation && !is_known(mutation))
        refuse("ANT_CHAOS_MUTATION", mutation, "there is no such fault");
    ready = true;
}
