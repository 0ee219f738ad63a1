/* go_sched_local_queue_empty.c - a queue that always holds a goroutine never looks empty to
 * another thread, whichever way its owner puts in the second one and takes the first one out: at
 * the end or as the one to run next, in all four combinations.
 *
 * Catches: the emptiness test misses a goroutine on its way from runnext to the ring, or between
 * two loads of the test. That would be a lost wake-up.
 */
#include <pthread.h>
#include <sched.h>

#include "check.h"
#include "runtime/runtime.h"

/* Placed such that a cache line ends between the ring's counters and runnext: within one line the
 * other thread would nearly always see all three as of the same moment. */
static struct {
    _Alignas(ANT__CACHE_LINE) char before[ANT__CACHE_LINE - offsetof(struct ant__runq, next)];
    struct ant__runq q;
} placed;

static struct ant__runq *const q = &placed.q;
static struct ant__g gs[2];
static _Atomic long looks;
static _Atomic bool stop;

static void put(struct ant__g *g, bool next)
{
    struct ant__glist overflow = {0};

    if (next)
        g = ant__runq_swap_next(q, g);
    if (g)
        ant__runq_put(q, g, &overflow);
    CHECK_INT(overflow.n, 0);
}

/* Puts the other one in and takes g, which is alone in the ring, out by stealing. */
static void replace_by_next(struct ant__g *g, struct ant__g *other)
{
    struct ant__runq thief = {0};
    int n;

    put(other, true);
    CHECK(ant__runq_steal(&thief, q, false, &n) == g);
}

/* From one in the queue to one in the queue, the first one put there as runnext or not, the second
 * likewise. Returns the one that is there now: in the ring, always. */
static struct ant__g *move(struct ant__g *g, bool first_next, bool second_next)
{
    struct ant__g *other = g == &gs[0] ? &gs[1] : &gs[0];

    if (first_next) {
        replace_by_next(g, other);
        return move(other, false, second_next);
    }
    put(other, second_next);
    return ant__runq_get(q) == g ? other : g;
}

static void *look(void *arg)
{
    while (!atomic_load(&stop)) {
        CHECK(!ant__runq_empty(q));
        atomic_fetch_add_explicit(&looks, 1, memory_order_relaxed);
    }
    return NULL;
}

TEST(go_sched_local_queue_empty)
{
    struct ant__g *g = &gs[0];
    long enough = test_scale(500000);
    pthread_t thread;

    CHECK_INT((uintptr_t)&q->next % ANT__CACHE_LINE, 0);
    put(g, false);
    CHECK_INT(pthread_create(&thread, NULL, look, NULL), 0);
    for (long i = 0; i < enough || atomic_load(&looks) < enough; i++)
        g = move(g, i & 1, i & 2);
    atomic_store(&stop, true);
    pthread_join(thread, NULL);
    CHECK(ant__runq_get(q) == g);
    CHECK(ant__runq_empty(q));
    return 0;
}
