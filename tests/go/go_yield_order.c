/* go_yield_order.c - on one P goroutines that yield take turns, always in the same order.
 *
 * Catches: a goroutine that yields is resumed before those that waited longer. (In the place of
 * Go's Preemption: two goroutines that call functions alternate.)
 */
#include <anthill.h>

#include "check.h"
#include "one_p.h"

enum { MOST = 50, ROUNDS = 200 };

static int goroutines, turn;
static int order[MOST];
static ant_waitgroup ended;

static void take_turns(void *arg)
{
    int me = *(int *)arg;

    for (int round = 0; round < ROUNDS; round++) {
        int slot = turn++ % goroutines;

        if (round == 0)
            order[slot] = me;
        CHECK_INT(order[slot], me);
        ant_yield();
    }
    ant_waitgroup_done(&ended);
}

static void all_yield(int n)
{
    goroutines = n;
    turn = 0;
    ant_waitgroup_add(&ended, n);
    for (int i = 0; i < n; i++)
        CHECK_INT(ant_go_copy(take_turns, &i, sizeof i), 0);
    ant_waitgroup_wait(&ended);
    CHECK_INT(turn, n * ROUNDS);
}

static int run(void *arg)
{
    all_yield(1);
    all_yield(2);
    all_yield(MOST);
    return 0;
}

TEST(go_yield_order)
{
    return run_on_one_p(run);
}
