/* api_set_procs_company - the only P, whose queue nobody else looked at, gets company at any moment,
 * from a goroutine or a plain thread, while its goroutines keep switching: none is lost, and none runs
 * on two Ps at once. */
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"

enum { SWITCHERS = 24, TURNS = 400 };

struct switcher {
    atomic_bool running;
    int turns;
};

static struct switcher switchers[SWITCHERS];
static ant_waitgroup wg;
static ant_mutex mutex;
static atomic_int switches;

static void turn(struct switcher *s)
{
    CHECK(!atomic_exchange(&s->running, true));
    s->turns++;
    atomic_fetch_add_explicit(&switches, 1, memory_order_relaxed);
    atomic_store(&s->running, false);
}

/* By the ring and by runnext. */
static void switcher(void *arg)
{
    struct switcher *s = arg;

    for (int i = 0; i < TURNS; i++) {
        turn(s);
        if (i % 2) {
            ant_yield();
        } else {
            ant_mutex_lock(&mutex);
            ant_yield();
            ant_mutex_unlock(&mutex);
        }
    }
    ant_waitgroup_done(&wg);
}

static void grow(void *arg)
{
    CHECK(ant_set_procs(4) > 0);
    ant_waitgroup_done(&wg);
}

static void one_round(int round)
{
    const ant_config config = {.procs = 1};
    int at = round * 37 % (SWITCHERS * TURNS / 2);

    CHECK_INT(ant_start(&config), 0);
    atomic_store(&switches, 0);
    ant_waitgroup_add(&wg, SWITCHERS + 1);
    for (int i = 0; i < SWITCHERS; i++) {
        switchers[i].turns = 0;
        CHECK_INT(ant_go(switcher, &switchers[i]), 0);
    }
    while (atomic_load_explicit(&switches, memory_order_relaxed) < at)
        ;
    if (round % 2)
        CHECK_INT(ant_go(grow, NULL), 0);
    else
        grow(NULL);
    ant_waitgroup_wait(&wg);
    for (int i = 0; i < SWITCHERS; i++)
        CHECK_INT(switchers[i].turns, TURNS);
    CHECK_INT(ant_stop(), 0);
}

TEST(api_set_procs_company)
{
    CHECK_INT(unsetenv("ANTHILL"), 0);
    for (int round = 0; round < test_scale_least(100, 30); round++)
        one_round(round);
    return 0;
}
