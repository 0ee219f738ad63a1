/* go_timer_fairness.c - sleeps and timers come to an end although goroutines keep every P busy by
 * readying one another.
 *
 * Catches: timers are served only by Ps that run out of work. (Then this hangs.)
 */
#include <stdatomic.h>

#include <anthill.h>

#include "go_pair.h"

enum { PAIRS = 8 };

static ant_waitgroup fired;

static void on_timer(void *arg)
{
    ant_waitgroup_done(&fired);
}

static int run(void *arg)
{
    static struct pair pairs[PAIRS];
    static ant_timer timer;

    for (int i = 0; i < PAIRS; i++)
        pair_start(&pairs[i]);
    ant_sleep(20 * ANT_MILLISECOND);
    ant_waitgroup_add(&fired, 1);
    CHECK_INT(ant_timer_start(&timer, ANT_MILLISECOND, on_timer, NULL), 0);
    ant_waitgroup_wait(&fired);
    for (int i = 0; i < PAIRS; i++)
        pair_stop(&pairs[i]);
    return 0;
}

TEST(go_timer_fairness)
{
    return ant_run(run, NULL, NULL);
}
