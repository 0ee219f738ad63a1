/* api_waitgroup_race - Go's TestWaitGroupRace: no wait returns before the counter is zero, 1000
 * runs; what was written before done is seen after wait. */
#include <anthill.h>

#include "check.h"

struct shared {
    ant_waitgroup wg;
    int first, second; /* not atomic: done and wait order them */
};

static void set_first(void *arg)
{
    struct shared *s = arg;

    s->first = 1;
    ant_waitgroup_done(&s->wg);
}

static void set_second(void *arg)
{
    struct shared *s = arg;

    s->second = 1;
    ant_waitgroup_add(&s->wg, -1);
}

static int run(void *arg)
{
    for (int i = 0; i < 1000; i++) {
        struct shared s = {.wg = {0}};

        ant_waitgroup_add(&s.wg, 1);
        CHECK_INT(ant_go(set_first, &s), 0);
        ant_waitgroup_add(&s.wg, 1);
        CHECK_INT(ant_go(set_second, &s), 0);
        ant_waitgroup_wait(&s.wg);
        CHECK_INT(s.first + s.second, 2);
    }
    return 0;
}

TEST(api_waitgroup_race)
{
    CHECK_INT(ant_run(run, NULL, NULL), 0);
    CHECK_INT(ant_start(NULL), 0);
    run(NULL);
    CHECK_INT(ant_stop(), 0);
    return 0;
}
