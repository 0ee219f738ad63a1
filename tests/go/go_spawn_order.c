/* go_spawn_order.c - on one P goroutines begin in the order in which they were made, but for the
 * last one, which is the next to run: it comes first, or last if the P's budget was used up.
 *
 * Catches: a queue that is last in, first out; a goroutine that runs twice or never.
 */
#include <anthill.h>

#include "check.h"
#include "one_p.h"

enum { MOST = 200 };

static int order[MOST], ran;
static ant_waitgroup ended;

static void note(void *arg)
{
    CHECK(ran < MOST);
    order[ran++] = *(int *)arg;
    ant_waitgroup_done(&ended);
}

static void spawn(int n)
{
    int shift;

    ran = 0;
    ant_waitgroup_add(&ended, n);
    for (int i = 0; i < n; i++)
        CHECK_INT(ant_go_copy(note, &i, sizeof i), 0);
    CHECK_INT(ran, 0);
    ant_waitgroup_wait(&ended);
    CHECK_INT(ran, n);
    shift = order[0] == n - 1;
    CHECK_INT(order[shift ? 0 : n - 1], n - 1);
    for (int i = 0; i < n - 1; i++)
        CHECK_INT(order[i + shift], i);
}

static int run(void *arg)
{
    for (int n = 1; n <= MOST; n += MOST / test_scale(MOST))
        spawn(n);
    return 0;
}

TEST(go_spawn_order)
{
    return run_on_one_p(run);
}
