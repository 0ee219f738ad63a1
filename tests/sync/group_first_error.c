/* group_first_error - TestZeroGroup of Go's errgroup: a zero-filled group runs functions, and
 * waiting tells the first error there was, again and again; what comes later does not change it. */
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

struct game {
    ant_group group;
    ant_waitgroup others_turn;
};

static int fail_first(void *arg)
{
    return -1;
}

static int fail_later(void *arg)
{
    struct game *game = arg;

    ant_waitgroup_wait(&game->others_turn);
    return -2;
}

/* All at once, and the error of one is known before the others fail, which the context tells. */
static void at_once(int first_at)
{
    struct game game = {.others_turn = {0}};
    ant_ctx *ctx;

    CHECK_INT(ant_group_init_ctx(&game.group, &ctx, NULL), 0);
    ant_waitgroup_add(&game.others_turn, 1);
    for (int i = 0; i < 4; i++)
        CHECK_INT(ant_group_go(&game.group, i == first_at ? fail_first : fail_later, &game), 0);
    ant_chan_recv(ant_ctx_done(ctx), NULL);
    ant_waitgroup_done(&game.others_turn);
    CHECK_INT(ant_group_wait(&game.group), -1);
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
        at_once(i % 4);
    return 0;
}

TEST(group_first_error)
{
    return ant_run(run, NULL, NULL);
}
