/* pause.c - entering the slow way, and stopping all goroutines for a moment, without signals.
 *
 * A pause sets a claim on every M, makes a membarrier and waits until each is outside of the
 * runtime (m->user != 0): in user code, where it may stay, or asleep. From then on nobody resumes a
 * goroutine, so that the stacks of those that are not running can be walked.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <linux/membarrier.h>
#include <sched.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "runtime/runtime.h"

static struct {
    struct ant__lock lock; /* one pause at a time */
    _Atomic uint32_t on;   /* what paused Ms sleep on */
    bool membarrier;
} pauses;

static int membarrier(int command)
{
    return (int)syscall(SYS_membarrier, command, 0, 0);
}

int ant__pause_init(void)
{
    int saved = ant__errno();

    pauses.membarrier = membarrier(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED) == 0;
    ant__errno_set(saved);
    return pauses.membarrier ? 0 : ANT__CLAIM_FENCE;
}

void ant__barrier_all(void)
{
    if (pauses.membarrier)
        membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED);
    else
        ant__fence();
}

/* No more than that costs a goroutine with a guard, where others have none. */
static ant__always_inline bool only_check(const struct ant__m *m)
{
    uint32_t claim = ant__load_acquire(&m->claim);

    if (claim & ANT__CLAIM_CHECK && m->g && ant__g_is(m->g, ANT__G_CANARY))
        ant__stack_check_entry(m->g, __builtin_frame_address(0));
    return claim == ANT__CLAIM_CHECK;
}

struct ant__m *ant__enter_slow(struct ant__m *m)
{
    uint32_t claim;

    if (only_check(m))
        return m;
    ant__fence(); /* for ANT__CLAIM_FENCE: in place of the membarrier on the other side */
    claim = ant__load_acquire(&m->claim);
    if (claim & ANT__CLAIM_FORKED)
        ant__fatal_forked();
    if (claim & ANT__CLAIM_PAUSE) /* before the next: in a pause m->g stays what it is */
        ant__pause_here(m);
    if (ant__load_acquire(&m->claim) & ANT__CLAIM_STOP)
        ant__g_abandon(m);
    if (claim & (ANT__CLAIM_YIELD | ANT__CLAIM_BLOCKING | ANT__CLAIM_TAKEN))
        m = ant__meet_seizure(m);
    return ant__load_acquire(&m->claim) & ANT__CLAIM_STOP ? ant__enter_slow(m) : m;
}

void ant__rest(struct ant__m *m)
{
    ant__store_release(&m->user, ANT__ASLEEP);
}

void ant__unrest(struct ant__m *m)
{
    ant__store_relaxed(&m->user, ANT__INSIDE);
    atomic_signal_fence(memory_order_seq_cst);
    if (ant__load_relaxed(&m->claim) & ANT__CLAIM_FENCE)
        ant__fence();
    ant__pause_here(m);
}

void ant__pause_here(struct ant__m *m)
{
    while (ant__load_acquire(&m->claim) & ANT__CLAIM_PAUSE) {
        ant__store_release(&m->user, ANT__ASLEEP);
        ant__futex_wait(&pauses.on, 1, ANT__NEVER);
        ant__store_relaxed(&m->user, ANT__INSIDE);
        ant__fence();
    }
}

bool ant__pause_all(struct ant__m *m)
{
    ant_time deadline = ant__now() + ANT_SECOND;

    while (!ant__trylock(&pauses.lock)) {
        if (m)
            ant__pause_here(m); /* the other one waits for us to be outside */
        if (ant__now() > deadline)
            return false;
        sched_yield();
    }
    ant__store_relaxed(&pauses.on, 1);
    ant__ms_claim(ANT__CLAIM_PAUSE);
    ant__barrier_all();
    for (int looks = 0; !ant__ms_outside(m); looks++) {
        if (ant__now() > deadline) {
            ant__resume_all();
            return false;
        }
        if (looks < 100)
            sched_yield();
        else
            ant__sleep_as_thread(50 * ANT_MICROSECOND);
    }
    return true;
}

void ant__pause_forked(void)
{
    memset(&pauses.lock, 0, sizeof pauses.lock);
}

void ant__resume_all(void)
{
    ant__store_release(&pauses.on, 0);
    ant__ms_unclaim(ANT__CLAIM_PAUSE);
    ant__futex_wake(&pauses.on, INT32_MAX);
    ant__unlock(&pauses.lock);
}
