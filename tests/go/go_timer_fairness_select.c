/* go_timer_fairness_select.c - goroutines that send to one another, and receive, in selects which are always
 * possible, each wait in the same select for a time-out: it comes.
 *
 * Catches: timers, or their case of a select, that come last for ever. (Then this hangs.)
 */
#include <anthill.h>

#include "check.h"

enum { GOROUTINES = 4 };

static ant_chan *chan;
static ant_waitgroup ended;

static void swap_until_timeout(void *arg)
{
    ant_chan *timeout;
    int chosen;

    CHECK_INT(ant_after(&timeout, 20 * ANT_MILLISECOND), 0);
    do {
        int in, out = 1;
        ant_case cases[] = {ANT_SEND(chan, &out), ANT_RECV(chan, &in), ANT_RECV(timeout, NULL)};

        chosen = ant_select(cases, 3);
    } while (chosen != 2);
    CHECK_INT(ant_chan_destroy(timeout), 0);
    ant_waitgroup_done(&ended);
}

static int run(void *arg)
{
    CHECK_INT(ant_chan_new(&chan, sizeof(int), 1), 0);
    ant_waitgroup_add(&ended, GOROUTINES);
    for (int i = 0; i < GOROUTINES; i++)
        CHECK_INT(ant_go(swap_until_timeout, NULL), 0);
    ant_waitgroup_wait(&ended);
    CHECK_INT(ant_chan_destroy(chan), 0);
    return 0;
}

TEST(go_timer_fairness_select)
{
    return ant_run(run, NULL, NULL);
}
