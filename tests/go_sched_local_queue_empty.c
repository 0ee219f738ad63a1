/* go_sched_local_queue_empty.c - a queue that always holds a goroutine never looks empty to another
 * thread, whichever way its owner puts in the second one and takes the first one out: at the end or as
 * the one to run next, in all four combinations.
 *
 * Catches: the emptiness test misses a goroutine on its way from runnext to the ring, or between
 * two loads of the test. That would be a lost wake-up.
 */
#include <pthread.h>
#include <sched.h>

#include "check.h"
#include "runtime/runtime.h"

static struct ant__runq q;
static struct ant__g gs[2];
static _Atomic int round_begun, round_looked;
static int rounds;

static void put(struct ant__g *g, bool next)
{
    struct ant__glist overflow = {0};

    if (next)
        g = ant__runq_swap_next(&q, g);
    if (g)
        ant__runq_put(&q, g, &overflow);
    CHECK_INT(overflow.n, 0);
}

static void *look(void *arg)
{
    for (int i = 1; i <= rounds; i++) {
        while (atomic_load(&round_begun) < i)
            sched_yield();
        for (int n = 0; n < 10; n++)
            CHECK(!ant__runq_empty(&q));
        atomic_store(&round_looked, i);
    }
    return NULL;
}

static void move(int round)
{
    put(&gs[0], round & 1);
    atomic_store(&round_begun, round);
    for (volatile int pause = 0; pause < round % 64; pause++)
        continue;
    for (int i = 0; i < 8; i++) {
        struct ant__g *other = i % 2 ? &gs[0] : &gs[1];

        put(other, round & 2);
        if (ant__runq_get(&q) == other) { /* runnext: the first one is still in there */
            put(other, !(round & 2));
            CHECK(ant__runq_get(&q) != NULL);
        }
    }
    while (atomic_load(&round_looked) < round)
        sched_yield();
    CHECK(ant__runq_get(&q) != NULL);
    CHECK(ant__runq_empty(&q));
}

int main(void)
{
    pthread_t thread;

    rounds = test_scale(20000);
    CHECK_INT(pthread_create(&thread, NULL, look, NULL), 0);
    for (int round = 1; round <= rounds; round++)
        move(round);
    pthread_join(thread, NULL);
    return 0;
}
