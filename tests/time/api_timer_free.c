/* api_timer_free - a timer's memory may go when its function runs, or when a stop has returned, be
 * it 1 or 0 with the function still running: freed at once, filled with rubbish at once. */
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"

struct item {
    ant_timer timer;
    atomic_int users; /* the function and the stopper */
};

static ant_waitgroup wg;

static void drop(struct item *item)
{
    if (atomic_fetch_sub(&item->users, 1) > 1)
        return;
    memset(item, 0xa5, sizeof *item);
    free(item);
    ant_waitgroup_done(&wg);
}

static void fire(void *arg)
{
    drop(arg);
}

static void stopper(void *arg)
{
    struct item *item = arg;

    if (ant_timer_stop(&item->timer) == 1)
        drop(item); /* in place of the function */
    drop(item);
}

static int run(void *arg)
{
    int n = test_scale(50000);

    ant_waitgroup_add(&wg, n);
    for (int i = 0; i < n; i++) {
        struct item *item = calloc(1, sizeof *item);

        CHECK(item);
        atomic_store(&item->users, 2);
        CHECK_INT(ant_timer_start(&item->timer, i % 7 * 3 * ANT_MICROSECOND, fire, item), 0);
        if (i % 3 == 0)
            stopper(item);
        else
            CHECK_INT(ant_go(stopper, item), 0);
    }
    ant_waitgroup_wait(&wg);
    return 0;
}

TEST(api_timer_free)
{
    CHECK_INT(ant_run(run, NULL, NULL), 0);
    return 0;
}
