/* go_sched_local_queue_steal.c - a thief gets half of a ring, rounded up, and every goroutine is in
 * exactly one place afterwards; runnext is taken only on demand and only from an empty ring.
 *
 * Catches: a goroutine lost or doubled by stealing, also while its owner goes on putting and
 * getting; wrong halves.
 */
#include <pthread.h>
#include <sched.h>

#include "check.h"
#include "runtime/runtime.h"

enum { SIZE = ANT__RUNQ_SIZE };

static struct ant__g gs[SIZE];
static int seen[SIZE];
static struct ant__runq victim, thief;

static void see(struct ant__g *g)
{
    CHECK(g >= gs && g < gs + SIZE);
    seen[g - gs]++;
}

static int drain(struct ant__runq *q)
{
    struct ant__g *g;
    int n = 0;

    for (; (g = ant__runq_get(q)); n++)
        see(g);
    return n;
}

static void steal_half_of(int n)
{
    struct ant__glist overflow = {0};
    struct ant__g *g;
    int stolen = -1;

    memset(seen, 0, sizeof seen);
    for (int i = 0; i < n; i++)
        ant__runq_put(&victim, &gs[i], &overflow);
    g = ant__runq_steal(&thief, &victim, false, &stolen);
    CHECK_INT(stolen, n - n / 2);
    CHECK((g != NULL) == (stolen > 0));
    if (g)
        see(g);
    CHECK_INT(ant__runq_len(&thief), stolen > 0 ? stolen - 1 : 0);
    CHECK_INT(drain(&thief), stolen > 0 ? stolen - 1 : 0);
    CHECK_INT(drain(&victim), n / 2);
    for (int i = 0; i < SIZE; i++)
        CHECK_INT(seen[i], i < n);
}

static void next_is_stolen_last(void)
{
    struct ant__glist overflow = {0};
    int n;

    ant__runq_swap_next(&victim, &gs[0]);
    CHECK(ant__runq_steal(&thief, &victim, false, &n) == NULL);
    CHECK_INT(n, 0);
    ant__runq_put(&victim, &gs[1], &overflow);
    CHECK(ant__runq_steal(&thief, &victim, true, &n) == &gs[1]);
    CHECK_INT(n, 1);
    CHECK(ant__runq_steal(&thief, &victim, true, &n) == &gs[0]);
    CHECK_INT(n, 1);
    CHECK(ant__runq_steal(&thief, &victim, true, &n) == NULL);
    CHECK_INT(n, 0);
    CHECK(ant__runq_empty(&victim) && ant__runq_empty(&thief));
}

/* ---- with an owner that goes on meanwhile ---- */

static _Atomic int taken[SIZE]; /* by either side, since it was last put in */
static _Atomic bool stop;
static _Atomic long thefts;

static void take(struct ant__g *g)
{
    CHECK_INT(atomic_fetch_add(&taken[g - gs], 1), 0);
}

static void *steal_on(void *arg)
{
    struct ant__runq *own = arg;

    while (!atomic_load(&stop)) {
        int n;
        struct ant__g *g = ant__runq_steal(own, &victim, true, &n);

        if (!g) {
            sched_yield();
            continue;
        }
        take(g);
        while ((g = ant__runq_get(own)))
            take(g);
        atomic_fetch_add(&thefts, 1);
    }
    return NULL;
}

/* Puts in all that is not in there, as runnext or at the end, and takes a few out. */
static void own_on(int round)
{
    struct ant__glist overflow = {0};
    struct ant__g *g;

    for (int i = 0; i < SIZE; i++) {
        if (!atomic_load(&taken[i]))
            continue;
        atomic_store(&taken[i], 0);
        g = i % 3 == 0 ? ant__runq_swap_next(&victim, &gs[i]) : &gs[i];
        if (g)
            ant__runq_put(&victim, g, &overflow);
        while ((g = ant__glist_pop(&overflow)))
            take(g);
    }
    for (int i = 0; i < round % SIZE && (g = ant__runq_get(&victim)); i++)
        take(g);
}

static void steal_from_busy_owner(void)
{
    static struct ant__runq rings[2];
    pthread_t threads[2];
    int left = 0;
    struct ant__g *g;

    for (int i = 0; i < SIZE; i++)
        atomic_store(&taken[i], 1);
    for (int i = 0; i < 2; i++)
        CHECK_INT(pthread_create(&threads[i], NULL, steal_on, &rings[i]), 0);
    for (int round = 0; round < test_scale(2000) || atomic_load(&thefts) < 100; round++)
        own_on(round);
    atomic_store(&stop, true);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    while ((g = ant__runq_get(&victim)))
        take(g);
    for (int i = 0; i < SIZE; i++)
        left += !atomic_load(&taken[i]);
    CHECK_INT(left, 0); /* none lost */
}

TEST(go_sched_local_queue_steal)
{
    for (int n = 0; n <= SIZE; n++)
        steal_half_of(n);
    next_is_stolen_last();
    steal_from_busy_owner();
    return 0;
}
