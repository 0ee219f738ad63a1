/* api_timer_many - a hundred thousand timers at once, due at random within 100 ms, a third of them
 * stopped: the others fire once each, none early. */
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"

struct item {
    ant_timer timer;
    ant_time due;
    atomic_int fired;
};

static struct item *items;
static ant_waitgroup wg;

static void fire(void *arg)
{
    struct item *item = arg;

    CHECK(ant_now() >= item->due);
    atomic_fetch_add(&item->fired, 1);
    ant_waitgroup_done(&wg);
}

static int run(void *arg)
{
    int n = test_scale(100000);
    unsigned random = 1;

    items = calloc((size_t)n, sizeof *items);
    CHECK(items);
    ant_waitgroup_add(&wg, n);
    for (int i = 0; i < n; i++) {
        ant_duration d;

        random = random * 1103515245 + 12345;
        d = (ant_duration)(random >> 4) % (100 * ANT_MILLISECOND);
        items[i].due = ant_now() + d;
        CHECK_INT(ant_timer_start(&items[i].timer, d, fire, &items[i]), 0);
    }
    for (int i = 0; i < n; i += 3) {
        if (ant_timer_stop(&items[i].timer) == 1) {
            ant_waitgroup_done(&wg);
            atomic_fetch_add(&items[i].fired, 1); /* so that a firing would make it two */
        }
    }
    ant_waitgroup_wait(&wg);
    for (int i = 0; i < n; i++)
        CHECK_INT(atomic_load(&items[i].fired), 1);
    free(items);
    return 0;
}

TEST(api_timer_many)
{
    CHECK_INT(ant_run(run, NULL, NULL), 0);
    return 0;
}
