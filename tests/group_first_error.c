/* group_first_error - TestZeroGroup of Go's errgroup: a zero-filled group runs functions, and waiting
 * tells the first error there was, again and again; what comes later does not change it. */
#include <stdatomic.h>

#include <anthill.h>

#include "check.h"

static int fail_with(void *err)
{
    return (int)(intptr_t)err;
}

/* One function after the other. */
static void in_turn(const int *errors, int n, int first)
{
    ant_group group = {0};
    int so_far = 0;

    for (int i = 0; i < n; i++) {
        CHECK_INT(ant_group_go(&group, fail_with, (void *)(intptr_t)errors[i]), 0);
        if (!so_far)
            so_far = errors[i];
        CHECK_INT(ant_group_wait(&group), so_far);
        CHECK_INT(ant_group_wait(&group), so_far);
    }
    CHECK_INT(so_far, first);
}

struct runner {
    ant_waitgroup *turn;
    ant_group *group;
    int err;
};

static int fail_when_told(void *arg)
{
    struct runner *r = arg;

    ant_waitgroup_wait(r->turn);
    return r->err;
}

/* All at once; the one that is let go first fails first. */
static void at_once(int i)
{
    ant_waitgroup first = {0}, others = {0};
    ant_group firsts = {0}, all = {0};
    struct runner runners[] = {{&first, &all, -1}, {&others, &all, -2}, {&others, &all, 0}};

    ant_waitgroup_add(&first, 1);
    ant_waitgroup_add(&others, 1);
    for (int k = 0; k < 3; k++)
        CHECK_INT(ant_group_go(&all, fail_when_told, &runners[(i + k) % 3]), 0);
    ant_waitgroup_done(&first);
    for (int k = 0; k < 100; k++) /* it has every chance to be first, but need not */
        ant_yield();
    CHECK_INT(ant_group_wait(&firsts), 0); /* a group in which nothing was run */
    ant_waitgroup_done(&others);
    CHECK(ant_group_wait(&all) < 0);
}

static int run(void *arg)
{
    static const int none[] = {0, 0}, one[] = {-7}, then_none[] = {-7, 0}, two[] = {-7, 0, -8},
                     late[] = {0, -8, -7}, positive[] = {0, 5, -1};

    in_turn(none, 0, 0);
    in_turn(none, 2, 0);
    in_turn(one, 1, -7);
    in_turn(then_none, 2, -7);
    in_turn(two, 3, -7);
    in_turn(late, 3, -8);
    in_turn(positive, 3, 5);
    for (int i = 0; i < test_scale(300); i++)
        at_once(i);
    return 0;
}

int main(void)
{
    return ant_run(run, NULL, NULL);
}
