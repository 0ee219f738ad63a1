/* go_block_locked.c - goroutines that are tied to their threads can wait for one another and for
 * free ones.
 *
 * Catches: a wake-up of a tied thread is lost or goes to the wrong one; a tied goroutine is resumed
 * elsewhere.
 */
#include <unistd.h>

#include <anthill.h>

#include "go_pair.h"

struct side {
    bool tied;
    pid_t thread;
    int turns;
    ant_waitgroup *mine, *other, *ended;
};

static void play(void *arg)
{
    struct side *s = arg;

    if (s->tied)
        CHECK_INT(ant_lock_thread(), 0);
    s->thread = gettid();
    for (int i = 0; i < s->turns; i++) {
        ant_waitgroup_wait(s->mine);
        ant_waitgroup_add(s->mine, 1);
        if (s->tied)
            CHECK_INT(gettid(), s->thread);
        ant_waitgroup_done(s->other);
    }
    if (s->tied)
        CHECK_INT(ant_unlock_thread(), 0);
    ant_waitgroup_done(s->ended);
}

static void match(bool first_tied, bool second_tied)
{
    ant_waitgroup turn[2] = {{0}}, ended = {0};
    int turns = test_scale(200);
    struct side sides[2] = {
        {.tied = first_tied, .mine = &turn[0], .other = &turn[1]},
        {.tied = second_tied, .mine = &turn[1], .other = &turn[0]},
    };

    ant_waitgroup_add(&turn[1], 1);
    ant_waitgroup_add(&ended, 2);
    for (int i = 0; i < 2; i++) {
        sides[i].turns = turns;
        sides[i].ended = &ended;
        CHECK_INT(ant_go(play, &sides[i]), 0);
    }
    ant_waitgroup_wait(&ended);
    if (first_tied && second_tied)
        CHECK(sides[0].thread != sides[1].thread);
}

static int run(void *arg)
{
    match(true, false);
    match(false, true);
    match(true, true);
    return 0;
}

TEST(go_block_locked)
{
    return ant_run(run, NULL, NULL);
}
