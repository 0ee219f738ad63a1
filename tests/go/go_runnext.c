/* go_runnext.c - on one P a goroutine that was just readied runs before older ones in the queue;
 * when the P's budget is used up just then, it runs behind all of them instead.
 *
 * Catches: a readied goroutine is queued at the end always, or somewhere in between.
 */
#include <anthill.h>

#include "check.h"
#include "one_p.h"

enum { ROUNDS = 200, MOST = 16 };

static int position; /* of who runs next; one P, so that no two run at once */
static int readied_at;
static ant_waitgroup call, round_ended;

static void old(void *arg)
{
    position++;
    ant_waitgroup_done(&round_ended);
}

static void readied(void *arg)
{
    ant_waitgroup_wait(&call);
    readied_at = position++;
    ant_waitgroup_done(&round_ended);
}

/* Its place among n older goroutines, 0 for the first. */
static int place_among(int n)
{
    ant_waitgroup_add(&call, 1);
    ant_waitgroup_add(&round_ended, n + 1);
    CHECK_INT(ant_go(readied, NULL), 0);
    for (int i = 0; i < 3; i++)
        ant_yield(); /* it waits now */
    position = 0;
    for (int i = 0; i < n; i++)
        CHECK_INT(ant_go(old, NULL), 0);
    ant_waitgroup_done(&call);
    ant_waitgroup_wait(&round_ended);
    return readied_at;
}

static int run(void *arg)
{
    int first = 0;

    for (int round = 0; round < ROUNDS; round++) {
        int n = 1 + round % MOST; /* so that the budget ends elsewhere in each round */
        int place = place_among(n);

        if (place != 0 && place != n)
            FAIL("it ran as number %d among %d older ones", place, n);
        first += place == 0;
    }
    CHECK(first >= ROUNDS / 10);
    return 0;
}

TEST(go_runnext)
{
    return run_on_one_p(run);
}
