/* api_timer_chain - a timer's function may start its own timer again, and reset it: a chain of
 * thousands, several side by side. */
#include <anthill.h>

#include "check.h"

enum { CHAINS = 10 };

static struct chain {
    ant_timer timer;
    int left;
} chains[CHAINS];

static ant_waitgroup wg;

static void link_on(void *arg)
{
    struct chain *c = arg;

    if (--c->left == 0)
        ant_waitgroup_done(&wg);
    else if (c->left % 2)
        CHECK_INT(ant_timer_start(&c->timer, c->left % 5 * ANT_MICROSECOND, link_on, c), 0);
    else
        CHECK_INT(ant_timer_reset(&c->timer, c->left % 3 * ANT_MICROSECOND), 0);
}

static int run(void *arg)
{
    ant_waitgroup_add(&wg, CHAINS);
    for (int i = 0; i < CHAINS; i++) {
        chains[i].left = test_scale(3000);
        CHECK_INT(ant_timer_start(&chains[i].timer, 0, link_on, &chains[i]), 0);
    }
    ant_waitgroup_wait(&wg);
    return 0;
}

TEST(api_timer_chain)
{
    CHECK_INT(ant_run(run, NULL, NULL), 0);
    return 0;
}
