/* go_ping_pong_hog.c - on one P a pair with much work at each turn and a pair with next to none
 * get turns in numbers that are not far apart.
 *
 * Catches: the pair that is about to run next, since it was readied last, keeps the P for good:
 * one of the two gets no turn, or hardly any. (The budget of a P is at most 61 turns and at least
 * 1.)
 */
#include <stdatomic.h>

#include <anthill.h>

#include "go_pair.h"
#include "one_p.h"

enum { TURNS = 10000, FACTOR = 20 };

static struct pair heavy, light;

static void stop_in_time(struct pair *pair)
{
    if (atomic_load(&heavy.turns) + atomic_load(&light.turns) >= TURNS) {
        atomic_store(&heavy.stop, true);
        atomic_store(&light.stop, true);
    }
}

static void work_hard(struct pair *pair)
{
    for (volatile int i = 0; i < 2000; i++)
        continue;
    stop_in_time(pair);
}

static int run(void *arg)
{
    long hard, easy;

    heavy.work = work_hard;
    light.work = stop_in_time;
    pair_start(&heavy);
    pair_start(&light);
    ant_waitgroup_wait(&heavy.ended);
    ant_waitgroup_wait(&light.ended);
    hard = atomic_load(&heavy.turns);
    easy = atomic_load(&light.turns);
    if (hard > easy * FACTOR || easy > hard * FACTOR)
        FAIL("%ld turns of the heavy pair, %ld of the light one", hard, easy);
    return 0;
}

TEST(go_ping_pong_hog)
{
    return run_with_procs_1(run);
}
