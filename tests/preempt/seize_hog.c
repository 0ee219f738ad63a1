/* Goroutines that compute without ever calling into the runtime do not keep others from running:
 * their Ps are taken. Each hog spins until all others have taken many turns. */
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"

enum { HOGS = 4, TURNS = 20 };

static _Atomic int turns;
static _Atomic bool released;
static ant_waitgroup wg;

static void hog(void *arg)
{
    while (!atomic_load_explicit(&released, memory_order_relaxed))
        continue;
    ant_waitgroup_done(&wg); /* comes back without P */
}

static void worker(void *arg)
{
    for (int i = 0; i < TURNS; i++) {
        atomic_fetch_add(&turns, 1);
        ant_yield();
        ant_sleep(ANT_MILLISECOND);
    }
    ant_waitgroup_done(&wg);
}

static int run(void *arg)
{
    ant_waitgroup_add(&wg, HOGS + 2);
    for (int i = 0; i < HOGS; i++)
        ant_go(hog, NULL);
    ant_go(worker, NULL);
    ant_go(worker, NULL);
    while (atomic_load(&turns) < 2 * TURNS)
        ant_sleep(ANT_MILLISECOND);
    atomic_store(&released, true);
    ant_waitgroup_wait(&wg);
    return 0;
}

TEST(seize_hog)
{
    CHECK_INT(ant_run(run, NULL, NULL), 0);
    return 0;
}
